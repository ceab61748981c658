"""The tools of the scenarios: a catalog for each of the systems, written for these tests."""

from typing import Any

from catalog.tools import ToolPool, ToolSpec


def tool(name: str, description: str, server: str = "", category: str = "", **texts: str) -> ToolSpec:
    """`texts` are parameters, each a text that is required, with its description."""
    properties: dict[str, Any] = {key: {"type": "string", "description": said} for key, said in texts.items()}
    schema = {"type": "object", "properties": properties, "required": [*texts]}
    return ToolSpec(name, description, schema, server=server, category=category)


MARKETS = ToolPool(
    (
        tool("calculator", "Works out an arithmetic expression.", expression="What to work out"),
        tool("currency_rate", "The rate between two currencies.", base="A currency", other="Another one"),
        tool("mcp__slack__send_message", "Posts into a Slack channel.", "slack", channel="Where", text="What"),
        tool("mcp__slack__list_channels", "Names the channels of the workspace.", "slack"),
        tool("stock_quote", "The latest price of a share.", ticker="The share"),
        tool("weather_forecast", "What the coming days bring in a city.", city="The city"),
        tool("weather_history", "What past days brought in a city.", city="The city", day="The day"),
    ),
    ("calculator",),
)
"""Eino: one static tool, six dynamic ones."""

INTEGRATIONS = ToolPool(
    (
        tool("sendEmail", "Send an email to a person.", "email", to="Who", subject="What it is about"),
        tool(
            "createIssue", "Create a GitHub issue in a repository.", "github", repo="The repository", title="Its title"
        ),
        tool("listPRs", "List the open pull requests of a GitHub repository.", "github", repo="The repository"),
        tool("mergePR", "Merge a pull request.", "github", repo="The repository", number="Which"),
        tool("sendMessage", "Post a message into a Slack channel.", "slack", channel="Where", text="What"),
        tool("createChannel", "Create a Slack channel.", "slack", title="Its title"),
        tool("query", "Run a read-only query on the database.", "db", sql="The query"),
        tool("insert", "Insert a row into a table of the database.", "db", table="Which", row="As JSON"),
        tool("helpdesk", "Ask the people of the help desk.", "agent", question="The question"),
    ),
    ("helpdesk",),
)
"""Mastra: tools of four integrations, and one that the agent has of its own."""

OFFICE = ToolPool(
    (
        tool("get_weather", "Current conditions in a place.", "weather", location="The place"),
        tool("weather_forecast", "The next seven days in a place.", "weather", location="The place"),
        tool("create_issue", "Open an issue in a repository.", "github", title="Its title"),
        tool("send_message", "Post to a channel.", "slack", text="What to post"),
        tool("query_database", "Ask the database of orders.", "orders", sql="The query"),
        tool("read_workspace_file", "Read a file of the workspace.", "workspace", path="Which"),
        tool("list_files", "Name the files of a folder.", "files", folder="Which"),
        tool("human_feedback", "Ask the person who waits.", "chat", "human", question="What to ask"),
        tool("final_answer", "Hand over the result in its form.", "chat", "structured_output", result="The result"),
    ),
    ("list_files", "human_feedback", "final_answer"),
)
"""mcpagent: `list_files` is pre-discovered, two are of special categories."""

DESK = ToolPool(
    (
        tool("web_search", "Search the web and list what was found.", category="information", query="What to look for"),
        tool("fetch_web", "Fetch one page of the web as text.", category="information", url="Its address"),
        tool("write_file", "Save text to a file.", category="files", path="Where", content="What"),
        tool("save_memory", "Save a fact for later conversations.", category="memory", fact="What"),
        tool("generate_image", "Generate or edit a picture.", category="media", prompt="What it shows"),
        tool("mcp_github_create_pull_request", "Open a pull request.", "github", title="Its title"),
        tool("sdk_notes_append", "Append a line to a note.", "notes", line="The line"),
        tool("notification-send-user", "Notify one person.", category="chat", user="Who"),
        tool("notification-send-channel", "Notify a channel.", category="chat", channel="Which"),
    ),
)
"""sanqian: built-in tools, one of an MCP server, one of an application."""

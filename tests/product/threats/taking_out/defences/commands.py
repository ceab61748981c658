"""What stands between a request and a command, and around a command that was started (T01 to T05)."""

from tests.product.threats.taking_out.defence import Cut, Defence

THREATS = "tests/product/threats/test_commands.py::"
SPAWNING = "tests/catalog/test_spawning.py::"
LINES = "tests/catalog/sources/test_stdio_command.py::"
STDIO = "catalog/sources/stdio_command.py"
MINDER = "catalog/spawn_minder.py"

COMMANDS = (
    Defence(
        "T01",
        "a command is started for a row that an admin approved",
        (Cut("catalog/connections.py", "    if not server.is_approved:", "    if False:"),),
        (THREATS + "test_no_request_of_anyone_but_an_admin_starts_a_command",),
    ),
    Defence(
        "T02",
        "one file names what starts a process",
        (Cut("catalog/contacting.py", "import asyncio\n", "import asyncio\nimport subprocess\n"),),
        (SPAWNING + "test_nothing_else_starts_commands",),
    ),
    Defence(
        "T02",
        "nothing takes the minder for a library",
        (Cut("catalog/contacting.py", "import asyncio\n", "import asyncio\nfrom catalog import spawn_minder\n"),),
        (SPAWNING + "test_nothing_imports_the_minder",),
    ),
    Defence(
        "T03",
        "an approval of a server counts for the folder too",
        (Cut("catalog/models/server.py", "self.args, self.cwd, sorted(self.env)", "self.args, sorted(self.env)"),),
        (THREATS + "test_each_change_of_what_is_started_takes_the_approval_away",),
    ),
    Defence(
        "T03",
        "an approval of a command counts for the names of variables too",
        (Cut(STDIO, ', "env": sorted(self.env)}', "}"),),
        (
            LINES + "test_every_change_of_what_runs_changes_the_fingerprint",
            SPAWNING + "test_only_the_approved_command_passes",
        ),
    ),
    Defence(
        "T03",
        "a command is started only as it was approved",
        (Cut("catalog/sources/approval.py", "if command.fingerprint() != approved_fingerprint:", "if False:"),),
        (SPAWNING + "test_only_the_approved_command_passes",),
    ),
    Defence(
        "T04",
        "programs that run other code are refused",
        (Cut(STDIO, "    problems += [launcher_problem(name, command.args) for name in _names(command)]\n"),),
        (LINES + "test_what_would_hide_what_runs_is_refused",),
    ),
    Defence(
        "T04",
        "a link is what it leads to",
        (Cut(STDIO, "return [*names, Path(path).resolve().name] if path else names", "return names"),),
        (LINES + "test_a_link_to_a_shell_is_a_shell",),
    ),
    Defence(
        "T04",
        "control characters are refused",
        (Cut(STDIO, "    if unreadable := _unreadable(command):\n        return [unreadable]\n"),),
        (LINES + "test_control_characters_are_refused_everywhere",),
    ),
    Defence(
        "T04",
        "variables that become code are refused",
        (Cut(STDIO, "    problems += [_variable_problem(name) for name in command.env]\n"),),
        (LINES + "test_a_variable_that_becomes_code_is_refused",),
    ),
    Defence(
        "T04",
        "a file that anybody may change is refused",
        (Cut(STDIO, "folder_problem(command.cwd), _file_problem(command)]", "folder_problem(command.cwd)]"),),
        (LINES + "test_a_file_that_anybody_can_change_is_refused_and_one_of_a_group_told",),
    ),
    Defence(
        "T04",
        "a file of somebody else is told",
        (Cut(STDIO, "    if facts.st_uid not in (0, os.getuid()):", "    if False:"),),
        (THREATS + "test_a_file_of_another_user_is_told",),
    ),
    Defence(
        "T04",
        "what is refused is refused before each start, approved or not",
        (Cut("catalog/sources/approval.py", "if problems := command_problems(command):", "if problems := []:"),),
        (SPAWNING + "test_approval_does_not_open_what_may_never_be_started",),
    ),
    Defence(
        "T05",
        "a server has limits",
        (Cut(MINDER, "    _limit()\n    try:", "    try:"),),
        (THREATS + "test_a_started_server_cannot_fill_the_machine",),
    ),
    Defence(
        "T05",
        "a server of too many processes is ended",
        (Cut(MINDER, "        if _is_overgrown():", "        if False:"),),
        (THREATS + "test_a_server_of_too_many_processes_is_ended_with_all_of_them",),
    ),
    Defence(
        "T05",
        "a server ends with us",
        (Cut(MINDER, "if lifeline in ready or os.getppid() != parent:", "if False:"),),
        (SPAWNING + "test_nothing_survives_when_we_are_killed",),
    ),
    Defence(
        "T05",
        "a server gets the variables that were declared",
        (
            Cut(
                "catalog/spawning.py",
                "    return base | dict(command.env)",
                "    return {**os.environ, **base, **command.env}",
            ),
        ),
        (SPAWNING + "test_a_server_gets_what_was_declared_and_nothing_else",),
    ),
    Defence(
        "T05",
        "a server gets three descriptors",
        (Cut(MINDER, "    os.set_inheritable(lifeline, False)\n"),),
        (SPAWNING + "test_a_server_gets_what_was_declared_and_nothing_else",),
    ),
    Defence(
        "T05",
        "the sandbox hides the state folder",
        (Cut("catalog/sources/sandbox.py", "    for path in hidden:", "    for path in ():"),),
        (
            THREATS + "test_in_the_sandbox_a_server_finds_nothing_of_ours",
            SPAWNING + "test_the_sandbox_shows_what_is_needed_and_hides_what_was_named",
        ),
    ),
    Defence(
        "T05",
        "the sandbox shows no other process",
        (Cut("catalog/sources/sandbox.py", '"--unshare-pid", '),),
        (
            THREATS + "test_in_the_sandbox_a_server_finds_nothing_of_ours",
            SPAWNING + "test_the_sandbox_shows_what_is_needed_and_hides_what_was_named",
        ),
    ),
    Defence(
        "T05",
        "nothing is started without a sandbox that is required",
        (Cut("catalog/spawning.py", 'if sandbox == "required" and not state:', "if False:"),),
        (SPAWNING + "test_without_a_required_sandbox_nothing_is_started",),
    ),
)

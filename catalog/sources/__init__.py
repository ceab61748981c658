"""Where tools come from. `json_file` and `mcp` read a Listing, `sample` the tools that ship; the rest is what they share."""

"""What bounds the reading of what strangers write (T34 to T42)."""

from tests.product.threats.taking_out.defence import Cut, Defence

THREATS = "tests/product/threats/test_parsers.py::"
OUTBOUND = "tests/catalog/test_outbound.py::"
MCP = "tests/catalog/sources/test_mcp.py::"
SKILLS = "tests/catalog/sources/test_skills.py::"
YAML = "catalog/sources/yaml_text.py"
JSON = "catalog/sources/json_text.py"
ARGUMENTS = "catalog/sources/arguments.py"
FILES = "catalog/sources/skill_files.py"
ONE_PLACE = THREATS + "test_archives_are_unpacked_in_one_place_and_nothing_is_unpickled"

PARSERS = (
    Defence(
        "T34",
        "no tag is taken",
        (Cut(YAML, 'if event.tag and event.tag != "!" and event.tag not in _CORE:', "if False:"),),
        (THREATS + "test_a_tag_builds_nothing",),
    ),
    Defence(
        "T35",
        "64 levels",
        (Cut(YAML, "if len(self.open) >= MAX_DEPTH:", "if False:"),),
        (THREATS + "test_a_deep_document_is_refused_and_takes_no_process_down",),
    ),
    Defence(
        "T36",
        "what an alias stands for is weighed",
        (
            Cut(
                YAML,
                "        self._weigh(weight, event)\n        if self._waits_for_key:",
                "        if self._waits_for_key:",
            ),
        ),
        (THREATS + "test_what_grows_by_aliases_is_refused_before_it_has_grown",),
    ),
    Defence(
        "T37",
        "a key twice is refused",
        (Cut(JSON, "    if parsing.repeated and not last_counts:", "    if False:"),),
        (THREATS + "test_json_that_parsers_read_differently_is_no_argument",),
    ),
    Defence(
        "T37",
        "half a character, a number without end and 65 levels are refused",
        (Cut(JSON, "    _check_fit(value)\n"),),
        (THREATS + "test_json_that_parsers_read_differently_is_no_argument",),
    ),
    Defence(
        "T37",
        "a file is read strictly",
        (Cut(JSON, ", parse_constant=_refuse"),),
        (THREATS + "test_a_hostile_file_is_refused_or_becomes_rows_that_browsers_read",),
    ),
    Defence(
        "T38",
        "nothing that a schema refers to is fetched",
        (Cut(ARGUMENTS, "registry=Registry(), "),),
        (THREATS + "test_a_schema_that_lies_elsewhere_is_neither_fetched_nor_read",),
    ),
    Defence(
        "T39",
        "a check of one call has so many steps and seconds",
        (Cut(ARGUMENTS, "        validator.format_checker.spend()\n"),),
        (THREATS + "test_a_schema_without_end_costs_little",),
    ),
    Defence(
        "T39",
        "patterns run in RE2",
        (Cut(ARGUMENTS, '    "pattern": _pattern,\n'),),
        (THREATS + "test_a_schema_without_end_costs_little",),
    ),
    Defence(
        "T40",
        "no compressed answers",
        (
            Cut(
                "catalog/outbound.py",
                'if response.headers.get("content-encoding", "identity").lower() != "identity":',
                "if False:",
            ),
        ),
        (OUTBOUND + "test_a_compressed_answer_is_not_unpacked",),
    ),
    Defence(
        "T40",
        "a bound on bodies",
        (Cut("catalog/outbound.py", "            if size > self._limit:", "            if False:"),),
        (OUTBOUND + "test_a_large_answer_is_cut_off",),
    ),
    Defence(
        "T40",
        "a bound on lines",
        (Cut("catalog/sources/stdio.py", "        if size > MAX_LINE:", "        if False:"),),
        (MCP + "test_a_call_without_an_answer_says_why",),
    ),
    Defence(
        "T40",
        "a page that comes again is the last",
        (Cut("catalog/sources/mcp_pages.py", " or cursor in seen:", ":"),),
        (MCP + "test_what_can_be_read_of_a_faulty_list_is_read",),
    ),
    Defence(
        "T40",
        "a bound on pages (taken ten times as far, as without one the list has no end)",
        (Cut("catalog/sources/mcp_pages.py", "for _ in range(MAX_PAGES):", "for _ in range(10 * MAX_PAGES):"),),
        (MCP + "test_a_list_of_new_cursors_ends_too",),
    ),
    Defence(
        "T40",
        "a bound on what is unpacked",
        (Cut(JSON, "inflater.decompress(content, limit + 1)", "inflater.decompress(content)"),),
        (THREATS + "test_a_bomb_is_not_unpacked_beyond_its_limit",),
    ),
    Defence(
        "T41",
        "every name in an archive is looked at",
        (Cut(FILES, "_path_problem(entry.orig_filename) or "),),
        (SKILLS + "test_an_archive_with_a_path_that_leads_elsewhere_is_refused_whole",),
    ),
    Defence(
        "T41",
        "links and devices are refused",
        (Cut(FILES, "    if kind and not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):", "    if False:"),),
        (SKILLS + "test_a_link_or_a_device_in_an_archive_is_refused",),
    ),
    Defence(
        "T41",
        "a bound on all files together",
        (Cut(FILES, "        if self.size > MAX_UNPACKED:", "        if False:"),),
        (SKILLS + "test_a_bomb_of_many_bytes_is_not_unpacked",),
    ),
    Defence(
        "T41",
        "a bound on the number of files",
        (Cut(FILES, "    if len(entries) > MAX_FILES:", "    if False:"),),
        (SKILLS + "test_too_many_files_or_too_large_an_archive_are_refused",),
    ),
    Defence(
        "T41",
        "one file unpacks archives",
        (Cut("catalog/contacting.py", "import asyncio\n", "import asyncio\nimport tarfile\n"),),
        (ONE_PLACE,),
    ),
    Defence(
        "T42",
        "nothing of ours is unpickled",
        (Cut("catalog/contacting.py", "import asyncio\n", "import asyncio\nimport pickle\n"),),
        (ONE_PLACE,),
    ),
    Defence(
        "T42",
        "a folder of indexes that others may change stops the start",
        (Cut("catalog/checks.py", "    if folder.stat().st_mode & 0o022:", "    if False:"),),
        (THREATS + "test_an_index_folder_that_others_may_change_stops_the_start",),
    ),
    Defence(
        "T42",
        "no address takes an index",
        (
            Cut(
                "catalog/urls.py",
                'urlpatterns = [\n    path("sign-in/", ',
                'urlpatterns = [\n    path("index/", servers.server_list, name="index_upload"),\n    path("sign-in/", ',
            ),
        ),
        (THREATS + "test_no_address_takes_an_index_and_none_lies_in_a_table",),
    ),
)

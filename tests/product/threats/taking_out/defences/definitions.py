"""What keeps a tool what people agreed to, and its name its own (T23, T25, T43, T44)."""

from tests.product.threats.taking_out.defence import Cut, Defence

THREATS = "tests/product/threats/test_definitions.py::"
DRIFTING = "tests/catalog/test_drifting.py::"
SCANNING = "tests/catalog/suspicion/test_scanning.py::"
INVISIBLE = "tests/catalog/test_invisible.py::"
NOBODY_SEES = THREATS + "test_what_nobody_sees_reaches_neither_model_nor_index_and_people_see_it"

DEFINITIONS = (
    Defence(
        "T23",
        "a change of meaning waits",
        (
            Cut(
                "catalog/meaning.py",
                "return any(wording_too or kind != WORDING for kind in kinds)",
                "return wording_too and any(kinds)",
            ),
        ),
        (
            THREATS + "test_a_change_of_meaning_waits_for_a_person",
            DRIFTING + "test_a_change_of_meaning_waits_and_what_was_approved_stays",
        ),
    ),
    Defence(
        "T23",
        "a server may hold rewordings back",
        (Cut("catalog/meaning.py", "any(wording_too or kind", "any(kind"),),
        (THREATS + "test_of_a_server_that_asked_for_it_every_change_waits",),
    ),
    Defence(
        "T23",
        "a rewording that is suspicious waits",
        (Cut("catalog/meaning.py", "    if new_suspicions(before, after):", "    if False:"),),
        (
            THREATS + "test_a_change_of_meaning_waits_for_a_person",
            DRIFTING + "test_a_poisoned_change_never_reaches_a_catalog",
        ),
    ),
    Defence(
        "T25",
        "of two tools of one name the first stays",
        (Cut("catalog/exposure.py", "    if spec.name not in taken:", "    if True:"),),
        (THREATS + "test_a_name_leads_to_the_tool_of_its_server_and_no_other",),
    ),
    Defence(
        "T25",
        "no tool has the name of a meta-tool",
        (Cut("catalog/exposure.py", "    if spec.name in RESERVED_NAMES:", "    if False:"),),
        (THREATS + "test_a_name_leads_to_the_tool_of_its_server_and_no_other",),
    ),
    Defence(
        "T25",
        "a name that looks like another is told",
        (Cut("catalog/suspicion/names.py", "            if other != spelled:", "            if False:"),),
        (
            THREATS + "test_a_name_that_looks_like_that_of_another_server_is_told",
            THREATS + "test_a_second_server_changes_nothing_of_the_first_and_its_twin_waits",
        ),
    ),
    Defence(
        "T43",
        "orders to the model are found",
        (Cut("catalog/suspicion/scanning.py", " *_orders(where, text), *_encoded", " *_encoded"),),
        (
            THREATS + "test_of_definitions_that_mean_harm_nearly_all_are_found",
            SCANNING + "test_it_is_found_in_every_place_that_a_model_may_read",
        ),
    ),
    Defence(
        "T43",
        "every text of a definition is looked through",
        (
            Cut(
                "catalog/suspicion/scanning.py",
                '"description", "parameters", "output_schema"',
                '"description", "output_schema"',
            ),
        ),
        (SCANNING + "test_it_is_found_in_every_place_that_a_model_may_read",),
    ),
    Defence(
        "T43",
        "what is found waits for a person",
        (Cut("catalog/exposing.py", "suspicious=tool.must_be_looked_at", "suspicious=False"),),
        (DRIFTING + "test_a_new_tool_that_is_suspicious_is_left_out_until_a_person_has_looked",),
    ),
    Defence(
        "T44",
        "models and indexes get no character that nobody sees",
        (Cut("catalog/models/tool.py", "shared_json(cleaned_json(self.parameters))", "shared_json(self.parameters)"),),
        (NOBODY_SEES,),
    ),
    Defence(
        "T44",
        "every text and key of a JSON value is cleaned",
        (
            Cut(
                "catalog/invisible.py",
                "_cleaned_parts(value) if any(sign in text for sign in _ESCAPED) else value",
                "value",
            ),
        ),
        (INVISIBLE + "test_every_text_and_key_of_a_json_value_is_cleaned",),
    ),
    Defence(
        "T44",
        "people see each as a chip",
        (
            Cut(
                "catalog/templatetags/catalog_text.py",
                '    return format_html(\'<span class="invisible-char" title="{}">{}</span>\', span.meaning, span.codepoint)',
                '    return format_html("{}", span.text)',
            ),
        ),
        (NOBODY_SEES,),
    ),
    Defence(
        "T44",
        "it is known which they are",
        (Cut("catalog/invisible.py", "\\U000e0000-\\U000e0fff"),),
        (INVISIBLE + "test_an_invisible_character_is_shown_and_left_out",),
    ),
)

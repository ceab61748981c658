"""Skills: folders of a SKILL.md and further files, read into tools whose call returns the text. Scripts are text, never run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing, Problem
from catalog.sources.skill_files import Files, gather, unpack
from catalog.sources.skill_text import MAX_TEXT, SKILL_FILE, BadSkill, SkillText, read_skill_text, readable_text
from catalog.sources.storable import storable_text
from catalog.sources.tool_entry import ListedTool

MOST_SKILLS = 1_000
MOST_FILES = 100
"""Further files of one skill."""
MAX_SKILL = 1024 * 1024
"""Bytes of all texts of one skill."""
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


def read(content: bytes) -> Listing:
    """A zip archive of skills, or a single SKILL.md. Raises SourceError."""
    if content.startswith(_ZIP):
        return _read_files(unpack(content))
    return _read_files(Files({SKILL_FILE: content}))


def read_folder(folder: Path) -> Listing:
    """A folder of skills on this machine, or the folder of one. Raises SourceError."""
    return _read_files(gather(folder))


def _read_files(files: Files) -> Listing:
    roots = _roots(files.contents)
    if not roots:
        raise SourceError(f"There is no {SKILL_FILE} in it. A skill is a folder with a file of that name.")
    if len(roots) > MOST_SKILLS:
        raise SourceError(f"It holds {len(roots):,} skills, at most {MOST_SKILLS:,} are read. Split it.")
    reading = _Reading(problems=list(files.problems))
    for root in roots:
        reading.take(root, {path: content for path, content in files.contents.items() if path.startswith(root)})
    return Listing(tuple(reading.tools.values()), tuple(reading.problems))


def _roots(contents: Mapping[str, bytes]) -> list[str]:
    """The folders of skills, each with a slash at its end, "" for the top; one within another is a part of that."""
    found = sorted(path.removesuffix(SKILL_FILE) for path in contents if f"/{path}".endswith(f"/{SKILL_FILE}"))
    return [root for root in found if not any(root != other and root.startswith(other) for other in found)]


@dataclass(slots=True)
class _Reading:
    tools: dict[str, ListedTool] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def take(self, root: str, contents: Mapping[str, bytes]) -> None:
        """One skill; whatever is wrong with it costs it alone."""
        place = f"{root}{SKILL_FILE}"
        try:
            skill = read_skill_text(contents[place])
        except BadSkill as bad:
            where = f"{place}, line {bad.line}" if bad.line else place
            self.problems.append(Problem(where, f"It is left out: {bad}."))
            return
        if skill.name in self.tools:
            self.problems.append(
                Problem(place, f"It is left out: another skill is named {skill.name}, and the first wins.")
            )
            return
        notes = list(skill.notes)
        files = _further_files(skill, root, contents, notes)
        if root and (folder := root.rstrip("/").rpartition("/")[2]) != skill.name:
            notes.append(f"its folder is named {folder}, not {skill.name} as the format wants it")
        self.problems += [Problem(place, f"It is kept, but {note}.") for note in notes]
        self.tools[skill.name] = _tool(skill, files)


def _further_files(skill: SkillText, root: str, contents: Mapping[str, bytes], notes: list[str]) -> dict[str, str]:
    files: dict[str, str] = {}
    size = len(skill.body.encode())
    for path, content in sorted(contents.items()):
        name = path.removeprefix(root)
        if name == SKILL_FILE:
            continue
        text = readable_text(content) if len(content) <= MAX_TEXT else None
        if text is None:
            notes.append(f"without {name}, which is no text or larger than {MAX_TEXT // 1024} KB")
        elif len(files) == MOST_FILES or size + len(content) > MAX_SKILL:
            notes.append(f"without {name}: a skill has at most {MOST_FILES} files of {MAX_SKILL // 1024} KB together")
        else:
            size += len(content)
            files[name] = storable_text(text)
    return files


def _tool(skill: SkillText, files: Mapping[str, str]) -> ListedTool:
    return ListedTool(
        name=skill.name,
        description=skill.description,
        parameters=_parameters(list(files)),
        annotations=skill.promises,
        permission="read",
        capability="skill",
        files={SKILL_FILE: storable_text(skill.body), **files},
    )


def _parameters(files: list[str]) -> dict[str, Any]:
    file = {
        "type": "string",
        "enum": files,
        "description": "A further file of the skill, to read that; left out, its instructions are returned",
    }
    return {"type": "object", "properties": {"file": file} if files else {}, "additionalProperties": False}


def texts_of(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The texts of a skill with their paths: its instructions first, then the others by name."""
    yield from sorted(files.items(), key=lambda pair: (pair[0] != SKILL_FILE, pair[0]))

"""Skills read from archives and folders: what is taken, what one bad skill costs, and what an archive may not do."""

import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from catalog.sources import skill_files
from catalog.sources.errors import SourceError
from catalog.sources.listing import Listing
from catalog.sources.skill_files import unpack
from catalog.sources.skill_text import SKILL_FILE
from catalog.sources.skills import read, read_folder

GOOD = "---\nname: tidy-up\ndescription: How to tidy up.\n---\n# Tidy up\n\nFirst the desk.\n"


def zipped(files: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return buffer.getvalue()


def zipped_entry(entry: zipfile.ZipInfo, content: bytes = b"x") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("tidy-up/SKILL.md", GOOD)
        archive.writestr(entry, content)
    return buffer.getvalue()


def problems(listing: Listing) -> list[str]:
    return [str(problem) for problem in listing.problems]


def test_a_skill_is_a_tool_whose_files_are_its_texts() -> None:
    listing = read(zipped({"tidy-up/SKILL.md": GOOD, "tidy-up/refs/desk.md": "# Desk\r\n"}))
    (skill,) = listing.tools
    assert problems(listing) == []
    assert (skill.name, skill.description, skill.capability) == ("tidy-up", "How to tidy up.", "skill")
    assert skill.files == {SKILL_FILE: "# Tidy up\n\nFirst the desk.", "refs/desk.md": "# Desk\n"}
    assert skill.parameters["properties"]["file"]["enum"] == ["refs/desk.md"]


def test_a_single_text_is_a_skill_without_parameters() -> None:
    (skill,) = read(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()).tools
    assert skill.files == {SKILL_FILE: "# Tidy up\n\nFirst the desk."}
    assert skill.parameters["properties"] == {}


def test_what_the_front_matter_says_besides_is_kept_as_text() -> None:
    front = 'license: MIT\ncompatibility: Any\nallowed-tools: [Read, "Bash(git:*)"]\nmetadata: {version: 1.0, day: 2026-01-01}\n'
    (skill,) = read(GOOD.replace("---\n#", f"{front}---\n#").encode()).tools
    assert skill.annotations == {
        "license": "MIT",
        "compatibility": "Any",
        "allowed-tools": "Read Bash(git:*)",
        "metadata": {"version": "1.0", "day": "2026-01-01"},
    }


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("# Just text\n", 1, "does not begin with its front matter"),
        ("\n---\nname: a\n---\nx", 1, "does not begin with its front matter"),
        ("", 1, "does not begin"),
        ("---\nname: a\ndescription: b\n", 1, "never closed"),
        ("---\nname: a\ndescription: b\n---\n\n \n", 4, "no text after"),
        ("---\ndescription: b\n---\nx", 2, "it has no name"),
        ("---\nname: a\n---\nx", 2, "no description"),
        ("---\nname: a\ndescription:\n---\nx", 3, "no description"),
        ("---\nname: Tidy Up\ndescription: b\n---\nx", 2, "lower-case letters and digits"),
        ("---\nname: a--b\ndescription: b\n---\nx", 2, "parted by single hyphens"),
        ("---\nname: ../a\ndescription: b\n---\nx", 2, "lower-case letters"),
        (f"---\nname: {'a' * 65}\ndescription: b\n---\nx", 2, "65 characters"),
        ("---\nname: [a]\ndescription: b\n---\nx", 2, "name is not a text"),
        ("---\nname: a\ndescription: {b: c}\n---\nx", 3, "description is not a text"),
        ("---\nname: a\ndescription: Use it: always\n---\nx", 3, "not valid YAML: mapping values"),
        ("---\nname: a\ndescription: 'b\n---\nx", 3, "not valid YAML"),
        ("---\n- a\n- b\n---\nx", 2, "no list of fields"),
        ("---\n---\nx", 2, "no list of fields"),
        ("---\nname: &n a\ndescription: *n\n---\nx", 3, "by an alias"),
        (f"---\nname: a\ndescription: {'[' * 5_000}\n---\nx", 3, "nested deeper"),
        (f"---\nname: a\ndescription: {'b' * 17_000}\n---\nx", 1, "longer than 16 KB"),
        ("---\nname: a\ndescription: b\x07\n---\nx", 1, "characters that YAML does not allow"),
        ("---\nname: a\ndescription: b\n---\nx\0", 5, "not UTF-8 text"),
        (b"---\nname: a\ndescription: b\n---\n\nx\xff", 6, "not UTF-8 text"),
    ],
)
def test_a_bad_skill_costs_that_skill_and_says_where(content: str | bytes, line: int, said: str) -> None:
    listing = read(zipped({"bad/SKILL.md": content, "tidy-up/SKILL.md": GOOD}))
    assert [skill.name for skill in listing.tools] == ["tidy-up"]
    (problem,) = problems(listing)
    assert problem.startswith(f"bad/SKILL.md, line {line}: It is left out:")
    assert said in problem


def test_a_tag_of_python_makes_nothing_but_text() -> None:
    called = read(GOOD.replace("How to tidy up.", "!!python/object/apply:os.getcwd []").encode())
    assert problems(called) == ["SKILL.md, line 3: It is left out: its description is not a text."]
    named = read(GOOD.replace("How to tidy up.", "!!python/name:os.getcwd text").encode())
    assert [skill.description for skill in named.tools] == ["text"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"desk/SKILL.md": GOOD}, "its folder is named desk, not tidy-up"),
        ({"tidy-up/SKILL.md": GOOD, "tidy-up/logo.png": b"\x89PNG\xff"}, "without logo.png, which is no text"),
        ({"tidy-up/SKILL.md": GOOD, "tidy-up/big.md": "x" * 300_000}, "without big.md"),
        ({"tidy-up/SKILL.md": GOOD.replace("name:", "colour: red\nname:")}, "without colour"),
        ({"tidy-up/SKILL.md": GOOD.replace("to tidy", "to " + "tidy " * 300)}, "where the format allows 1,024"),
        ({"tidy-up/SKILL.md": GOOD.replace("name:", "metadata: x\nname:")}, "without its metadata"),
    ],
)
def test_what_a_skill_can_do_without_is_told_and_the_skill_kept(files: dict[str, str | bytes], said: str) -> None:
    listing = read(zipped(files))
    assert [skill.name for skill in listing.tools] == ["tidy-up"]
    (problem,) = problems(listing)
    assert "It is kept, but" in problem and said in problem


def test_of_two_skills_of_one_name_the_first_is_taken() -> None:
    listing = read(zipped({"a/tidy-up/SKILL.md": GOOD, "b/tidy-up/SKILL.md": GOOD.replace("desk", "shelf")}))
    assert [skill.files[SKILL_FILE][-5:] for skill in listing.tools] == ["desk."]
    assert "another skill is named tidy-up" in problems(listing)[0]


def test_a_skill_within_a_skill_is_a_file_of_it() -> None:
    (skill,) = read(zipped({"tidy-up/SKILL.md": GOOD, "tidy-up/more/SKILL.md": GOOD})).tools
    assert list(skill.files) == [SKILL_FILE, "more/SKILL.md"]


def test_what_systems_leave_behind_is_passed_over() -> None:
    litter: dict[str, str | bytes] = {
        "__MACOSX/tidy-up/._SKILL.md": b"\0",
        "tidy-up/.git/config": "x",
        "tidy-up/.DS_Store": b"\0",
    }
    listing = read(zipped({"tidy-up/SKILL.md": GOOD, **litter}))
    assert problems(listing) == []
    assert list(listing.tools[0].files) == [SKILL_FILE]


@pytest.mark.threat("T41")
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../evil.md", "leads out of it"),
        ("tidy-up/../../evil.md", "leads out of it"),
        ("/etc/evil.md", "absolute path"),
        ("C:/evil.md", "absolute path"),
        ("tidy-up\\..\\evil.md", "absolute path, or one of Windows"),
        ("tidy-up/a\x00b.md", "cannot be seen"),
        ("tidy-up/a\nb.md", "cannot be seen"),
        ("tidy-up/\u202egpj.md", "cannot be seen"),
        ("tidy-up/" + "a" * 300, "longer than a path may be"),
    ],
)
def test_an_archive_with_a_path_that_leads_elsewhere_is_refused_whole(path: str, said: str) -> None:
    entry = zipfile.ZipInfo("placeholder")
    entry.filename = entry.orig_filename = path
    with pytest.raises(SourceError, match=said):
        read(zipped_entry(entry))


@pytest.mark.threat("T41")
@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_a_link_or_a_device_in_an_archive_is_refused(kind: int) -> None:
    entry = zipfile.ZipInfo("tidy-up/secret.md")
    entry.external_attr = (kind | 0o777) << 16
    with pytest.raises(SourceError, match="a link or a device"):
        read(zipped_entry(entry, b"/etc/passwd"))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_unusual_compression_is_refused(method: int) -> None:
    with pytest.raises(SourceError, match="compressed in an unusual way"):
        read(zipped({"tidy-up/SKILL.md": GOOD}, method))


def test_an_encrypted_entry_is_refused() -> None:
    archive = bytearray(zipped({"tidy-up/SKILL.md": GOOD}))
    flags = archive.index(b"PK\x01\x02") + 8
    archive[flags : flags + 2] = struct.pack("<H", 1)
    with pytest.raises(SourceError, match="is encrypted"):
        read(bytes(archive))


@pytest.mark.threat("T41")
def test_a_bomb_of_many_bytes_is_not_unpacked() -> None:
    bomb = {f"tidy-up/{number}.md": b"0" * (1024 * 1024) for number in range(40)}
    archive = zipped({"tidy-up/SKILL.md": GOOD, **bomb})
    assert len(archive) < 100_000
    with pytest.raises(SourceError, match="more than 32 MB"):
        read(archive)


def test_one_huge_file_is_left_away_without_being_unpacked() -> None:
    archive = zipped({"tidy-up/SKILL.md": GOOD, "tidy-up/huge.md": b"0" * (200 * 1024 * 1024)})
    files = unpack(archive)
    assert files.size <= skill_files.MAX_FILE + 1 + len(GOOD)
    assert [str(problem) for problem in files.problems] == [
        "tidy-up/huge.md: It is left away: it is larger than 1024 KB."
    ]


@pytest.mark.threat("T41")
def test_a_lie_about_the_size_does_not_help_a_bomb() -> None:
    archive = bytearray(zipped({"tidy-up/SKILL.md": b"0" * (3 * 1024 * 1024)}))
    place = archive.index(b"PK\x01\x02") + 24
    archive[place : place + 4] = struct.pack("<I", 10)
    with pytest.raises(SourceError):
        read(bytes(archive))


@pytest.mark.threat("T41")
def test_too_many_files_or_too_large_an_archive_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = zipped({"tidy-up/SKILL.md": GOOD, "tidy-up/a.md": "a", "tidy-up/b.md": "b"})
    monkeypatch.setattr(skill_files, "MAX_FILES", 2)
    with pytest.raises(SourceError, match="holds 3 files, at most 2"):
        read(archive)
    monkeypatch.setattr(skill_files, "MAX_ARCHIVE", 100)
    with pytest.raises(SourceError, match="archive is larger"):
        read(archive)


def test_a_path_twice_in_an_archive_is_refused() -> None:
    entry = zipfile.ZipInfo("tidy-up/SKILL.md")
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive = zipped_entry(entry, GOOD.encode())
    with pytest.raises(SourceError, match="twice"):
        read(archive)


@pytest.mark.parametrize("content", [b"PK\x03\x04 and then nothing", b"PK\x05\x06"])
def test_a_broken_archive_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(SourceError, match="cannot be unpacked"):
        read(content)


@pytest.mark.parametrize("cut", [30, 60, 100, 140])
def test_a_cut_archive_is_refused_in_words(cut: int) -> None:
    with pytest.raises(SourceError):
        read(zipped({"tidy-up/SKILL.md": GOOD})[:cut])


def test_an_archive_without_a_skill_says_what_a_skill_is() -> None:
    with pytest.raises(SourceError, match="A skill is a folder with a file of that name"):
        read(zipped({"readme.md": "x"}))


def test_a_folder_of_this_machine_is_read_and_its_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "secret.txt"
    outside.write_text("secret")
    skill = tmp_path / "skills" / "tidy-up"
    skill.mkdir(parents=True)
    (skill / SKILL_FILE).write_text(GOOD)
    (skill / "link.md").symlink_to(outside)
    (tmp_path / "skills" / "elsewhere").symlink_to(tmp_path)
    listing = read_folder(tmp_path / "skills")
    assert [tool.files for tool in listing.tools] == [{SKILL_FILE: "# Tidy up\n\nFirst the desk."}]
    assert problems(listing) == ["tidy-up/link.md: It is left away: it is a link or a device, no file."]
    with pytest.raises(SourceError, match="is not a folder"):
        read_folder(skill / SKILL_FILE)

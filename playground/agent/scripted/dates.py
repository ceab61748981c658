"""Days and times as people write them, read into ISO form."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_RELATIVE = {
    "today": 0,
    "tomorrow": 1,
    "day after tomorrow": 2,
    "yesterday": -1,
    "今天": 0,
    "明天": 1,
    "后天": 2,
    "昨天": -1,
}

_DAY = [
    re.compile(r"(?<!\d)(?P<year>\d{4})[-/](?P<number>\d{1,2})[-/](?P<day>\d{1,2})(?!\d)"),
    re.compile(r"(?P<year>\d{4})年(?P<number>\d{1,2})月(?P<day>\d{1,2})[日号]"),
    re.compile(r"(?<![\d年])(?P<number>\d{1,2})月(?P<day>\d{1,2})[日号]"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+(?P<year>\d{{4}}))?\b", re.I),
    re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{{4}}))?\b", re.I),
]
_WORDED = re.compile(rf"\b(?:the )?(?:day after tomorrow|today|tomorrow|yesterday|(?:{'|'.join(_WEEKDAYS)}))\b", re.I)
_CHINESE = re.compile("今天|明天|后天|昨天")
_CLOCK = re.compile(r"(?<![\d:])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?![\d:])")
_HALF_DAY = re.compile(r"\b(?P<hour>1[0-2]|[1-9])\s*(?P<half>[ap])\.?m\b\.?", re.I)

Found = tuple[int, int, str]
"""Start, end, and the value in ISO form."""


def find_dates(text: str, today: date | None) -> Iterator[Found]:
    """Days; those that lean on the present one (`tomorrow`, `12 May`) only if `today` is known."""
    for pattern in _DAY:
        for match in pattern.finditer(text):
            if day := _day(match, today):
                yield match.start(), match.end(), day.isoformat()
    if today:
        for match in (*_WORDED.finditer(text), *_CHINESE.finditer(text)):
            yield match.start(), match.end(), _relative_day(match.group().lower(), today).isoformat()


def find_times(text: str) -> Iterator[Found]:
    for match in _CLOCK.finditer(text):
        yield match.start(), match.end(), f"{int(match['hour']):02}:{match['minute']}"
    for match in _HALF_DAY.finditer(text):
        hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
        yield match.start(), match.end(), f"{hour:02}:00"


def _day(match: re.Match[str], today: date | None) -> date | None:
    parts = match.groupdict()
    month = int(parts["number"]) if parts.get("number") else _month_number(parts["month"])
    year = int(parts["year"]) if parts.get("year") else None
    if year is None and today is None:
        return None
    try:
        day = date(year or (today or date.min).year, month, int(parts["day"]))
    except ValueError:
        return None
    return day.replace(year=day.year + 1) if year is None and today and day < today else day


def _month_number(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, start=1) if month.startswith(name.lower()))


def _relative_day(words: str, today: date) -> date:
    """A weekday is the next one of that name, today not counted."""
    words = words.removeprefix("the ")
    if words in _RELATIVE:
        return today + timedelta(days=_RELATIVE[words])
    return today + timedelta(days=(_WEEKDAYS.index(words) - today.weekday() - 1) % 7 + 1)

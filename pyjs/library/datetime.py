"""Dates of the Gregorian calendar."""

import re

DAYS_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_before(year: int, month: int) -> int:
    """Days of the year before a month; the month after December is 13."""
    return DAYS_BEFORE_MONTH[month - 1] + (month > 2 and _is_leap(year))


class date:
    """A day; raises ValueError if there is no such day."""

    def __init__(self, year: int, month: int, day: int) -> None:
        if not 1 <= year <= 9999:
            raise ValueError(f"year {year} is out of range")
        if not 1 <= month <= 12:
            raise ValueError("month must be in 1..12")
        if not 1 <= day <= _days_before(year, month + 1) - _days_before(year, month):
            raise ValueError("day is out of range for month")
        self.year, self.month, self.day = year, month, day

    @classmethod
    def fromisoformat(cls, date_string: str) -> "date":
        """Return the date of a text like ``2026-11-17``; raises ValueError."""
        match = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", date_string, re.ASCII)
        if match is None:
            raise ValueError(f"Invalid isoformat string: {date_string!r}")
        return cls(int(match[1]), int(match[2]), int(match[3]))

    def toordinal(self) -> int:
        """Return the number of the day; the first day of the year 1 is 1."""
        before = self.year - 1
        return (
            before * 365 + before // 4 - before // 100 + before // 400 + _days_before(self.year, self.month) + self.day
        )

    def isoformat(self) -> str:
        """Return the date as a text."""
        return f"{self.year:04}-{self.month:02}-{self.day:02}"

    def __str__(self) -> str:
        return self.isoformat()

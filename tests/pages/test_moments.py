"""Instants in the words of their reader."""

from datetime import UTC, datetime, timedelta

from babel import Locale
from babel.localedata import locale_identifiers
from hypothesis import given
from hypothesis import strategies as st

from pbem.pages.dates import day, duration, language, moment, relative
from tests.rows import each_row

NOW = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)


@each_row(
    ("ahead", "words"),
    [
        (timedelta(days=3), "in 3 days"),
        (timedelta(days=2, hours=20, minutes=48), "in 2 days 21 hours"),
        (timedelta(hours=71, minutes=59), "in 3 days"),
        (timedelta(days=1), "in 24 hours"),
        (timedelta(hours=47, minutes=45), "in 2 days"),
        (timedelta(hours=1, minutes=20), "in 1 hour 20 minutes"),
        (timedelta(minutes=1), "in 1 minute"),
        (timedelta(seconds=5), "now"),
        (timedelta(minutes=-5), "5 minutes ago"),
    ],
)
def test_how_far_off_it_is(ahead: timedelta, words: str) -> None:
    assert relative(NOW + ahead, NOW) == words


def test_the_same_instant_for_readers_of_two_zones() -> None:
    instant = datetime(2026, 11, 23, 23, 30, tzinfo=UTC)
    berlin, utc = moment(instant, NOW, "Europe/Berlin", "en"), moment(instant, NOW, "UTC", "en")
    assert (berlin.long, berlin.bare) == ("Tuesday 24 November, 00:30", "Tue 24 Nov 00:30")
    assert berlin.utc == "Mon 23 Nov, 23:30 UTC"
    assert (utc.long, utc.utc) == ("Monday 23 November, 23:30", "23:30 UTC")


def test_a_clock_change_between_now_and_then_does_not_change_how_far_it_is() -> None:
    before = datetime(2026, 10, 24, 12, 0, tzinfo=UTC)
    seen = moment(before + timedelta(days=2), before, "Europe/Berlin", "en")
    assert (seen.long, seen.relative) == ("Monday 26 October, 13:00", "in 2 days")


@given(st.integers(0, 40 * 86400))
def test_a_span_has_two_units_at_most_and_is_never_far_from_the_truth(seconds: int) -> None:
    words = duration(seconds).split()
    assert len(words) in (0, 2, 4)
    size = {"day": 86400, "hour": 3600, "minute": 60}
    told = sum(int(words[i]) * size[words[i + 1].rstrip("s")] for i in range(0, len(words), 2))
    assert abs(told - seconds) <= (1800 if seconds >= 2 * 86400 - 1800 else 30)


@each_row(
    ("locale", "long", "short"),
    [
        ("en", "Monday 23 November, 18:00", "Mon 23 Nov, 18:00"),
        ("en_US", "Monday 23 November, 18:00", "Mon 23 Nov, 18:00"),
        ("de", "Montag, 23. November, 18:00", "Mo., 23. Nov., 18:00"),
        ("es", "lunes, 23 de noviembre, 18:00", "lun, 23 nov, 18:00"),
        ("fr-CH", "lundi 23 novembre, 18:00", "lun. 23 nov., 18:00"),
        ("pl", "poniedziałek, 23 listopada, 18:00", "pon., 23 lis, 18:00"),
        ("cs", "pondělí 23. listopadu, 18:00", "po 23 lis, 18:00"),
        ("ja", "11月23日(月曜日), 18:00", "11月23日(月), 18:00"),
        ("xx", "Monday 23 November, 18:00", "Mon 23 Nov, 18:00"),
        ("not a language", "Monday 23 November, 18:00", "Mon 23 Nov, 18:00"),
    ],
)
def test_a_day_is_written_as_its_language_writes_it(locale: str, long: str, short: str) -> None:
    seen = moment(datetime(2026, 11, 23, 17, 0, tzinfo=UTC), NOW, "Europe/Berlin", locale)
    assert (seen.long, seen.short, seen.utc) == (long, short, "17:00 UTC")


def test_in_no_language_a_month_is_a_figure_alone() -> None:
    """Every month of a year is written otherwise than by its number, or with the sign for a month
    beside it.
    """
    for name in locale_identifiers():
        if "_" in name or not Locale.parse(name).months["format"]["abbreviated"][5].strip(
            "༠༡༢༣༤༥༦༧༨༩"
        ):
            # a part of a language, or one that abbreviates months to figures, which nobody is
            # offered
            continue
        seen = moment(datetime(2026, 5, 3, 12, 0, tzinfo=UTC), NOW, "UTC", name)
        for words in (
            seen.long,
            seen.short,
            day(datetime(2026, 5, 3, 12, 0, tzinfo=UTC), "UTC", name),
        ):
            assert any(sign.isalpha() for sign in words), (name, words)
        assert seen.short.count("5") <= 1 or not seen.short.isascii(), name


def test_a_day_with_its_year() -> None:
    instant = datetime(2026, 7, 3, 23, 0, tzinfo=UTC)
    assert day(instant, "UTC", "en") == "3 Jul 2026"
    assert day(instant, "Europe/Berlin", "de") == "4. Juli 2026"


def test_languages_are_read_as_the_net_and_as_systems_write_them() -> None:
    assert language("de-AT") == language("de_AT.UTF-8") == Locale("de", territory="AT")
    assert language("") == language("tlh") == Locale("en")


def test_f105_the_utc_clock_stands_once_behind_a_time_of_utc() -> None:
    instant = NOW + timedelta(hours=24)
    assert moment(instant, NOW, "UTC", "en").around == "in 24 hours"
    assert moment(instant, NOW, "Europe/Berlin", "en").around.startswith("in 24 hours; ")

"""The arms that a letter shows go along with it."""

import re
from pathlib import Path

from pbem.pages.kit.arms import badge_png
from tests.desk.harness import open_desk


async def test_reading_15_a_letter_brings_each_badge_that_it_shows_once(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        letter = desk.last("Anna", "welcome")
        page = letter.get_body(("html",))
        assert page is not None
        shown = set(re.findall(r'src="cid:([^"]+)"', page.get_content()))
        brought = {
            str(part["Content-ID"]).strip("<>"): part
            for part in letter.walk()
            if part.get_content_maintype() == "image"
        }
    assert shown == set(brought)
    badges = {cid: part for cid, part in brought.items() if cid.startswith("arms-")}
    assert len(badges) == 3
    for cid, part in badges.items():
        colour = cid.removeprefix("arms-").partition("@")[0]
        assert part.get_payload(decode=True) == badge_png(colour)
        assert part.get_content_disposition() == "inline"

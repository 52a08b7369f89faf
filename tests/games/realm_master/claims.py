"""What texts about a game of Realm-Master claim."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.realm_master.cards import all_heroes
from engine.realm_master.conditions import card_name, land_name
from engine.realm_master.events import (
    AttackMade,
    CardBought,
    CardPlayed,
    ChoiceMade,
    Collected,
    DiceResolved,
    ElfHonoured,
    HeroConceded,
    HeroDied,
    HeroTaken,
    LandEntered,
    LandKept,
    LandLeft,
    PhoenixRose,
    RoundBegan,
    SmokeUsed,
    TakenBack,
    ThornsPricked,
    UltimatumMet,
)
from tests.claims import NAME, Claim, Claims, Happened
from tests.moments import NAMES, Whole

LAND_ = r"[A-Z]\w+"
BY = rf"\b(?P<by>{NAME})"
AHEAD = rf"(?P<ahead>\d+) ahead of (?P<whose>{NAME}|the others)"


def has_banners(at: Happened, found: "re.Match[str]") -> bool:
    """The banners after the close, and by how many somebody is ahead of the next living."""
    who = at.number(found["by"])
    own = at.view.player(who).banners
    others = [one for one in at.view.players if one.alive and one.number != who]
    most = max((one.banners for one in others), default=0)
    if own != int(found["n"]):
        return False
    if found["ahead"] is None:
        return True
    next_ones = {NAMES[one.number - 1] for one in others if one.banners == most}
    return own - most == int(found["ahead"]) and found["whose"] in next_ones | {"the others"}


def needs(at: Happened, found: "re.Match[str]") -> bool:
    return bool(at.view.player(at.number(found["by"])).banners + int(found["n"]) == 10)


def kills(at: Happened, found: "re.Match[str]") -> bool:
    pair = (at.number(found["by"]), at.number(found["whose"]))
    return any((one.killer, one.player) == pair for one in at.facts(HeroDied))


def rolls(at: Happened, found: "re.Match[str]") -> bool:
    wanted = (at.number(found["by"]), int(found["n"]))
    return any((one.player, one.gain.banners) == wanted for one in at.facts(DiceResolved))


def fell(at: Happened, found: "re.Match[str]") -> bool:
    """In which round somebody fell: never more rounds than there were (THIRD A22)."""
    told, killer = int(found["n"]), at.number(found["by"] or "")
    return told <= at.view.round and any(
        (one.fell_to or 0) == killer and one.fell_round == told
        for one in at.view.players
        if not one.alive
    )


def missing(at: Happened, said: str) -> Iterator[str]:
    """Every banner of the dice (THIRD A3), and every death."""
    for one in at.facts(DiceResolved):
        if one.gain.banners and f"{NAMES[one.player - 1]} rolls" not in said:
            yield f"{NAMES[one.player - 1]} rolls {one.gain.banners}"
    for dead in at.facts(HeroDied):
        if dead.killer and f"kills {NAMES[dead.player - 1]}" not in said:
            yield f"{NAMES[dead.player - 1]} is killed"


def battles(_table: Whole) -> Mapping[int, tuple[int, int]] | None:
    return None


def shown(_cells: Sequence[str]) -> tuple[int, int] | None:
    return None


def figures(view: Any) -> Mapping[int, int]:
    return {one.number: one.banners for one in view.players if one.alive}


# ----------------------------------------------------------------------------------- the narrator
def standing(view: Any) -> Mapping[int, int]:
    return {one.number: one.banners for one in view.players if one.alive and one.hero}


def hit(at: Happened, found: "re.Match[str]") -> bool:
    """A blow with what is told of it: damage, hearts before and after, who struck, and where."""
    told = found.groupdict()
    return any(
        one.player == at.number(told["by"] or "")
        and blow.player == at.number(told["whose"] or "")
        and told.get("d") in (None, str(blow.damage))
        and told.get("h") in (None, str(blow.left + blow.lost))
        and told.get("left") in (None, str(blow.left or "none"))
        and (not told.get("land") or land_name(blow.at or "") == told["land"])
        for one in at.facts(AttackMade)
        for blow in one.blows
    )


def hit_all(at: Happened, found: "re.Match[str]") -> bool:
    told = re.findall(rf"({NAME}) (kept (\d+)|died)", found[0].partition(": ")[2])
    wanted = {(at.number(name), int(left or 0)) for name, _, left in told}
    return any(
        one.player == at.number(found["by"])
        and {(blow.player, blow.left) for blow in one.blows} == wanted
        and len(one.blows) == int(found["n"])
        for one in at.facts(AttackMade)
    )


def goes(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        (one.player, one.choice, land_name(one.land))
        == (at.number(found["by"]), "leave", found["land"])
        for one in at.facts(ChoiceMade)
    )


def go_all(at: Happened, found: "re.Match[str]") -> bool:
    """Of several who left, those after the first."""
    gone = {
        (NAMES[one.player - 1], land_name(one.land))
        for one in at.facts(ChoiceMade)
        if one.choice == "leave"
    }
    return set(re.findall(rf"({NAME}) ({LAND_})", found[0])) <= gone


def dies(at: Happened, found: "re.Match[str]") -> bool:
    told = found.groupdict()
    return any(
        one.player == at.number(told["whose"] or "")
        and (not told.get("by") or one.killer == at.number(told["by"] or ""))
        and (
            not told.get("spoil")
            or all_of(one.looted) == set(re.findall(r"\d+ \w+", told["spoil"] or ""))
        )
        for one in at.facts(HeroDied)
    )


def had(at: Happened, found: "re.Match[str]") -> bool:
    one = at.before.player(at.number(found["whose"]))
    told = found.groupdict()
    return told.get("h") in (None, str(one.hearts)) and told.get("n") in (None, str(one.banners))


def rose(at: Happened, found: "re.Match[str]") -> bool:
    who = at.number(found["by"])
    return (at.before.player(who).banners, at.view.player(who).banners) == (
        int(found["m"]),
        int(found["n"]),
    )


def collects(at: Happened, found: "re.Match[str]", kind: Any = LandEntered) -> bool:
    """Somebody entered this land, or kept it, and collected this there."""
    who = at.number(found["by"])
    went = any((one.player, land_name(one.land)) == (who, found["land"]) for one in at.facts(kind))
    told = set(re.findall(r"\d+ \w+", found["got"]))
    return went and any(
        one.player == who and told == all_of(one.gain) for one in at.facts(Collected)
    )


def all_of(gain: Any) -> set[str]:
    """Tokens in words."""
    rows = (("heart", gain.hearts), ("gold", gain.gold), ("banner", gain.banners))
    return {f"{n} {word}{'s' if n > 1 and word != 'gold' else ''}" for word, n in rows if n}


def is_kind(kind: Any) -> Claim:
    return lambda at, found: any(one.player == at.number(found["by"]) for one in at.facts(kind))


def elf(at: Happened, found: "re.Match[str]") -> bool:
    wanted = (at.number(found["by"]), int(found["n"]))
    return any((one.player, one.banners) == wanted for one in at.facts(ElfHonoured))


def as_heroes(at: Happened, found: "re.Match[str]") -> bool:
    """Each player with the hero that they have."""
    told = re.findall(rf"({NAME}) as the (\w+)", found[0])
    real = {(one.player, all_heroes()[one.hero].title) for one in at.facts(HeroTaken)}
    return {(at.number(name), word) for name, word in told} == real


def buys(at: Happened, found: "re.Match[str]") -> bool:
    """Each buyer with all cards that they bought."""
    real: dict[int, list[str]] = {}
    for one in at.facts(CardBought):
        real.setdefault(one.player, []).append(card_name(one.card))
    rows = re.findall(rf"({NAME}) \(([^)]*)\)", found[0]) or [(found["by"], found["what"])]
    told = {at.number(name): cards for name, cards in rows}
    return set(told) == set(real) and all(
        re.fullmatch(rf"(?:(?:, | and )?(?:{'|'.join(map(re.escape, real[who]))}))+", cards)
        for who, cards in told.items()
    )


def stays_in(at: Happened, found: "re.Match[str]") -> bool:
    return collects(at, found, LandKept)


def yields(at: Happened, found: "re.Match[str]") -> bool:
    told = found.groupdict()
    return any(
        (one.player, land_name(one.land)) == (at.number(told["by"] or ""), told["land"])
        and (one.choice == "lose") == (told.get("h") is not None)
        and told.get("h") in (None, str(one.lost))
        for one in at.facts(UltimatumMet)
    )


def pricks(at: Happened, found: "re.Match[str]") -> bool:
    pair = (at.number(found["by"]), at.number(found["whose"]))
    return any((one.player, one.owner) == pair for one in at.facts(ThornsPricked))


def plays(at: Happened, found: "re.Match[str]") -> bool:
    told = found.groupdict()
    return any(
        one.player == at.number(told["by"] or "")
        and one.amount == int(told["n"] or 0)
        and card_name(one.card) in found[0]
        and (one.hero is None or NAMES[one.hero - 1] in found[0])
        for one in at.facts(CardPlayed)
    )


def gives_up(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        (one.player, land_name(one.land), one.cause)
        == (at.number(found["by"]), found["land"], "turn")
        for one in at.facts(LandLeft)
    )


def again(at: Happened, found: "re.Match[str]") -> bool:
    wanted = (found["what"].lower(), int(found["n"]))
    return any((one.what, one.number) == wanted for one in at.facts(TakenBack))


WHOSE = rf"(?P<whose>{NAME})"
LAND = rf"(?P<land>{LAND_})"
CLAIMS = Claims(
    players=5,
    seed=3,
    claims={
        rf"{BY} wins with (?P<n>\d+) banners?(?:; 10 were needed)?(?:, {AHEAD})?": has_banners,
        rf"{BY} leads with (?P<n>\d+) banners?(?:, {AHEAD})?": has_banners,
        rf"{BY} has (?P<n>\d+) banners?, {AHEAD}": has_banners,
        rf"{BY} needs (?P<n>\d+) more banners?": needs,
        rf"{BY} kills (?P<whose>{NAME})": kills,
        rf"{BY} rolls (?P<n>\d+) banners?": rolls,
        rf"(?:killed by (?P<by>{NAME})|died) in round (?P<n>\d+)": fell,
        rf"\b[Ff]ell in round (?P<n>\d+)(?: to (?P<by>{NAME}))?": fell,
        r"(?:[Ff]ell|killed|died)[^.]{0,20} in turn (?P<n>\d+)": lambda _at, _found: False,
    },
    winners=lambda view: view.winners,
    battles=battles,
    shown=shown,
    missing=missing,
    figures=figures,
    standing=standing,
    narrated={
        rf"{WHOSE} was in {LAND} with (?P<h>\d+) hearts?": lambda at, found: any(
            (blow.player, land_name(blow.at or ""), blow.left + blow.lost)
            == (at.number(found["whose"]), found["land"], int(found["h"]))
            for one in at.facts(AttackMade)
            for blow in one.blows
        ),
        rf"{BY} hit for (?P<d>\d+), {WHOSE} left with (?P<left>\d+) hearts?": hit,
        rf"{BY} hit {WHOSE} in {LAND} for (?P<d>\d+) and left (?P<left>\w+) of (?P<h>\d+)": hit,
        rf"{BY} hit {WHOSE} for (?P<d>\d+) and left (?P<left>\w+) of (?P<h>\d+)": hit,
        rf"A blow of (?P<d>\d+) drove {WHOSE}, who had had (?P<h>\d+) hearts?, out of {LAND}": lambda at, found: (
            any(
                (blow.player, blow.damage, blow.left + blow.lost)
                == (at.number(found["whose"]), int(found["d"]), int(found["h"]))
                for one in at.facts(AttackMade)
                for blow in one.blows
            )
        ),
        rf"{WHOSE} had (?P<h>\d+) hearts? when {BY} attacked": hit,
        r"^The blow of (?P<d>\d+) left (?P<left>\w+)": lambda at, found: any(
            (str(blow.damage), str(blow.left or "none")) == (found["d"], found["left"])
            for one in at.facts(AttackMade)
            for blow in one.blows
        ),
        rf"A blow of (?P<d>\d+) by {BY} met {WHOSE}, who had (?P<h>\d+) hearts? then and"
        r" (?P<left>\w+) afterwards": hit,
        rf"{BY} hit (?P<n>\d+) heroes at once: [^.]*": hit_all,
        rf"One attack of {BY} struck (?P<n>\d+) heroes: [^.]*": hit_all,
        rf"The swords of {BY} reached (?P<n>\d+) heroes: [^.]*": hit_all,
        rf"^{BY} (?:left|went from|fled from) {LAND}(?:\.|,| and)": goes,
        rf" (?:left|from) {LAND_}(?:(?:, | and ){NAME} {LAND_})+": go_all,
        rf"^(?P<by>{NAME}) (?:moved in|went, and {NAME} took the place)": lambda at, found: any(
            one.player in {at.number(name) for name in re.findall(NAME, found[0])}
            for one in at.facts(LandEntered)
        ),
        rf"{WHOSE} had come with (?P<h>\d+) hearts? and (?P<n>\d+) banners?": had,
        rf"Until then {WHOSE} had held (?P<n>\d+) banners?": had,
        rf"{BY} killed {WHOSE}(?: and took (?P<spoil>[^.]*))?": dies,
        rf"{WHOSE} fell to {BY}(?:, who took (?P<spoil>[^.]*))?": dies,
        rf"{WHOSE} had (?P<h>\d+) hearts? and (?P<n>\d+) banners? left, and died": had,
        rf"the end of {WHOSE}, who had had (?P<n>\d+) banners?": had,
        rf"With (?P<n>\d+) banners? {WHOSE} was out of the game": had,
        rf"{BY} went from (?P<m>\d+) to (?P<n>\d+) banners?, and 10 win": rose,
        rf"{BY}, who had had (?P<m>\d+) banners?, now had (?P<n>\d+)": rose,
        rf"Of the 10 banners that win, {BY} had (?P<n>\d+) now and (?P<m>\d+) before": rose,
        rf"{BY} (?:moved on to|entered) {LAND} and collected (?P<got>[^.]*)": collects,
        rf"{LAND} was open: {BY} went in and collected (?P<got>[^.]*)": collects,
        rf"{BY} chose {LAND}, which brought (?P<got>[^.]*)": collects,
        rf"The dice gave {BY} (?P<n>\d+) banners?": rolls,
        rf"{BY} rolled (?P<n>\d+) banners?": rolls,
        rf"{BY} threw the dice and raised (?P<n>\d+) banners?": rolls,
        rf"Hits of 4 or more brought {BY}, the [^,]*, (?P<n>\d+) banners?": elf,
        rf"For such blows {BY}, the [^,]*, raised (?P<n>\d+) banners?": elf,
        rf"{BY}, the [^,]*, gained (?P<n>\d+) banners? for hard blows": elf,
        rf"{BY} (?:was dead, but had the Phoenix Feather|fell and rose again)": is_kind(
            PhoenixRose
        ),
        rf"The Phoenix Feather saved {BY}": is_kind(PhoenixRose),
        rf"{BY}[^.]* escaped from": is_kind(SmokeUsed),
        rf"{BY}[^.]* (?:gave up|left the others to it)": is_kind(HeroConceded),
        r"^(?:The game began with|There came|The Realm was open to) [A-Z].* as the .*": as_heroes,
        r"^(?:Cards were bought by|The buyers of cards were|New cards had) [^.]*": buys,
        rf"^{BY} (?:bought|paid for) (?P<what>[^.]*)": buys,
        rf"^(?P<what>[^.]*) went to {BY}\.": buys,
        rf"^{BY} stayed in {LAND} and collected (?P<got>[^.]*)": stays_in,
        rf"^{BY} kept {LAND}, which brought (?P<got>[^.]*)": stays_in,
        rf"^For staying in {LAND} {BY} collected (?P<got>[^.]*)": stays_in,
        rf"^{BY} left {LAND} when the Grim Ultimatum came": yields,
        rf"^The Grim Ultimatum came, and {BY} left {LAND}": yields,
        rf"^{LAND} was left by {BY}, as the Grim Ultimatum asked": yields,
        rf"^{BY} paid (?P<h>\d+) hearts? to the Grim Ultimatum and stayed in {LAND}": yields,
        rf"^To stay in {LAND} cost {BY} (?P<h>\d+) hearts?: the Grim Ultimatum": yields,
        rf"^The Grim Ultimatum took (?P<h>\d+) hearts? from {BY}, who stayed in {LAND}": yields,
        rf"{WHOSE}'s Ward of Thorns cost {BY} 1 heart": pricks,
        rf"^{BY} lost 1 heart to {WHOSE}'s Ward of Thorns": pricks,
        rf"^For the attack {BY} paid 1 heart to {WHOSE}'s Ward of Thorns": pricks,
        rf"^{BY} played [^.]*? (?:for|took) (?P<n>\d+)[^.]*": plays,
        rf"^(?!Hits)[^.]*? brought {BY} (?P<n>\d+)[^.]*": plays,
        rf"^[^.]*? of {BY} hit \w+ for (?P<n>\d+)": plays,
        rf"^With [^.\d]*? {BY} (?:took|raised) (?P<n>\d+) (?:gold|banner)[^.]*": plays,
        rf"^{NAME} took (?P<n>\d+) from [^.]* of {BY}\.": plays,
        rf"^{BY} (?:gave up|moved out of) {LAND}\.": gives_up,
        rf"^{LAND} was given up by {BY}\.": gives_up,
        r"(?P<what>[Rr]ound|[Tt]urn) (?P<n>\d+) (?:was played again|back, and it|was taken back)": again,
        r"last round|one round left": lambda at, _: any(one.final for one in at.facts(RoundBegan)),
    },
)
TABLES = ("AGAIN",)
AGAIN = replace(CLAIMS, acts=((4, (("act", "undo"), ("round", True))),), seeds=20)
"""The third round, which is close 4 of these seeds, is taken back and played again."""

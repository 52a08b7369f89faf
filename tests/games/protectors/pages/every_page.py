"""Every page there is, of a state by hand: of the game, of press, notices and announcements."""

import dataclasses
from collections.abc import Iterator, Sequence
from datetime import timedelta

import msgspec

from engine.protectors import events as e
from engine.protectors import orders as o
from engine.protectors.state import State
from engine.protectors.view_of import view_of
from engine.ruleset import Event, Standing
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.announcements import (
    Announced,
    ClosedEarly,
    ClosedUnread,
    Ended,
    Looked,
    NoteAnswered,
    Paused,
    Replaced,
    Resumed,
    ThirdStrike,
    Unseated,
)
from pbem.pages.notice import notice_page
from pbem.pages.notices import (
    AnotherTable,
    AskedEnough,
    CameBefore,
    CloseFailed,
    CloseHeld,
    ColoursAreDealt,
    ConfirmAlias,
    ConfirmSender,
    DeadlineChanged,
    GameOver,
    GmAlias,
    GmBounce,
    GmCameBefore,
    GmKnocked,
    GmNote,
    GmShunted,
    LetGo,
    MailComesBack,
    MailUnreadable,
    Missed,
    NotePassed,
    NoteRepeated,
    NothingFound,
    NotYourGame,
    OrdersInNote,
    OrdersStand,
    OrdersUnlocked,
    PlayerEliminated,
    QuestionElsewhere,
    QuestionOver,
    QuestionUnclear,
    Quoted,
    SetAside,
    StrikeGiven,
    SubjectNotRead,
    ThroughAList,
    TooShort,
    WasItAnOrder,
    WhichGameAsked,
    WordsCut,
    WrongPhase,
)
from pbem.pages.page import Page, PastPhase, Reader, RollBack, StoredVersion, Table
from pbem.pages.press import (
    DigestSet,
    Outcome,
    Piece,
    PressDigest,
    PressDoubtful,
    PressExplained,
    PressHeld,
    PressLetter,
    PressListed,
    PressMuted,
    PressPosted,
    PressRulesChanged,
    PressSent,
    RulesFacts,
)
from tests.games.protectors.pages.sample import (
    ATTACK,
    BAD,
    EVERY_KIND,
    FORTIFIED,
    happened,
    receipt_facts,
    table,
)
from tests.pages.sample import NOW, reader


def every_page(
    state: State, me: int = 1, events: Sequence[Event] = happened(), **changes: object
) -> Iterator[tuple[str, Page]]:
    """Every page there is, for this player of this state; `changes` go into the table."""
    seen, public, at = view_of(state, me), view_of(state, None), table(**changes)
    who = reader(me, state.players[me - 1].name)
    nothing: Standing[o.Order] = Standing()
    good = (
        receipt_facts()
        if len(state.board) > 3
        else receipt_facts(
            FORTIFIED, *BAD, standing=FORTIFIED.texts, standing_orders=(o.Fortify(1),)
        )
    )
    mine: Standing[o.Order] = Standing((o.Fortify(me),))
    known = [event for event in events if event.is_for(me)]
    for stage in ("bidding", "rebid", "orders", "dragon", "consolidation"):
        shown = view_of(
            msgspec.structs.replace(
                state, stage=stage, attack=ATTACK if stage == "dragon" else None, ties=((1, 2),)
            ),
            me,
        )
        yield f"turn {stage}", PAGES.turn(at, who, shown, known, nothing)
        yield f"turn {stage}, answered", PAGES.turn(at, who, shown, known, mine)
        yield f"reminder {stage}", PAGES.reminder(at, who, shown, nothing)
        yield f"status {stage}", PAGES.status(at, who, shown, nothing)
    yield "reminder, answered", PAGES.reminder(at, who, seen, mine)
    yield (
        "invitation",
        PAGES.invitation(at, who, state.players[1].name, [player.name for player in state.players]),
    )
    yield "welcome", PAGES.welcome(at, who, seen, "ab" * 32)
    yield "welcome of a game master", PAGES.welcome(at, reader(None, at.gm_name), public, "ab" * 32)
    yield "receipt", PAGES.receipt(at, who, seen, good)
    yield (
        "receipt, all well",
        PAGES.receipt(
            at,
            who,
            seen,
            dataclasses.replace(
                good,
                items=good.items[:1],
                offered=(),
                dropped_replaced=("Fortify! P2",),
                slips=("marhc",),
            ),
        ),
    )
    yield (
        "receipt, nothing",
        PAGES.receipt(
            at, who, seen, receipt_facts(*BAD, standing=(), standing_orders=(), note_passed=True)
        ),
    )
    yield (
        "receipt, final",
        PAGES.receipt(
            at,
            who,
            seen,
            dataclasses.replace(
                good, items=good.items[:1], final=True, cc_warning=True, dated_earlier=True
            ),
        ),
    )
    yield "bulletin", PAGES.bulletin(at, public, [event for event in events if event.is_for(None)])
    over = view_of(
        msgspec.structs.replace(state, stage="over", winners=(1,), ended_by="times-up"), None
    )
    yield "ending", PAGES.ending(at, over, happened(EVERY_KIND[-1]), "12" * 32, "ab" * 32)
    lost = view_of(
        msgspec.structs.replace(state, stage="over", winners=(), ended_by="dragon"), None
    )
    yield (
        "ending by the Dragon",
        PAGES.ending(
            at, lost, happened(e.GameWon("dragon", (), (), 0, 5, 4)), "12" * 32, "ab" * 32
        ),
    )
    yield "status of a game master", PAGES.status(at, reader(None, at.gm_name), public, nothing)
    yield (
        "orders",
        PAGES.orders(at, who, seen, mine, [StoredVersion(1, NOW, ("Fortify! P1",), final=True)]),
    )
    yield "no orders", PAGES.orders(at, who, seen, nothing, [])
    yield (
        "history",
        PAGES.history(
            at,
            who,
            [PastPhase(5, "orders", tuple(PAGES.describe_event(event, seen) for event in known))],
        ),
    )
    past = [
        PastPhase(4, "orders", (), is_undone=True),
        PastPhase(5, "orders", tuple(PAGES.describe_event(event, seen) for event in known)),
    ]
    yield "history with an undone phase", PAGES.history(at, who, past)
    yield "takeover", PAGES.takeover(at, who, seen, past, "ab" * 32)
    yield (
        "takeover at the start",
        PAGES.takeover(
            table(**(changes | {"deadline": None, "is_paused": True})), who, seen, (), "ab" * 32
        ),
    )
    for reshuffled in (False, True):
        facts = RollBack(
            ((5, "orders"), (5, "consolidation")),
            tuple(known),
            reshuffled,
            was_paused=reshuffled,
            by=who.name,
        )
        yield f"rolled back {reshuffled}", PAGES.rolled_back(at, public, facts)
    yield (
        "rolled back before any card",
        PAGES.rolled_back(
            at,
            public,
            RollBack(((1, "bidding"),), (), reshuffled=False, was_paused=False, by=who.name),
        ),
    )
    yield "map", PAGES.map_page(at, who, seen)
    yield "board in type", PAGES.board_text(at, who, seen)
    yield "happened", PAGES.happened(at, who, seen, known)
    yield "help", PAGES.help(at, who, seen)
    yield "help orders", PAGES.help(at, who, seen, whole=True)
    yield "rule", PAGES.rule(at, who, "7.8")
    yield from every_notice(at, who)
    yield from every_announcement(at, who)
    yield from every_page_of_press(at, who)


def every_page_of_press(at: Table, who: Reader) -> Iterator[tuple[str, Page]]:
    name, text = who.name, f"hello\n\nfrom {who.name}"
    pieces = (
        Piece(name, "private", ("you", name), text, NOW),
        Piece("", "private", (), text, NOW, grey=True),
        Piece(name, "public", (), text, NOW),
        Piece(name, "team", (name,), text, NOW),
        Piece(name, "private", (), text, NOW, answers_grey=True),
        Piece(name, "private", (), text, NOW, answers_grey=True, is_mine=True),
        Piece(name, "private", (name,), text, NOW, grey=True, is_mine=True),
    )
    for index, piece in enumerate(pieces):
        yield f"press {index}", notice_page(PressLetter(piece, may_answer=index != 2), at, who)
        yield f"press posted {index}", notice_page(PressPosted(piece), at, who)
    rules = RulesFacts("all", True, ("Dragon Attack",), True, True, True, True, True)
    for mode in ("all", "public", "private", "team", "none"):
        allowed = RulesFacts(mode, mode == "all", (), False, False, False, False, False)
        yield f"press rules {mode}", notice_page(PressRulesChanged(allowed, name), at, who)
    yield "press digest", notice_page(PressDigest(pieces), at, who)
    yield "press how", notice_page(PressExplained(rules, name, pieces), at, who)
    yield "press list", notice_page(PressListed(pieces, older=2), at, who)
    yield "no press yet", notice_page(PressListed((), older=0), at, who)
    sent = (
        Outcome("", (name,), "private", 1, text=f"hello\n{name}", nobody_looks=True),
        Outcome("", (), "public", 6, grey=True),
        Outcome("", to_grey=True, count=2),
    )
    yield "press sent", notice_page(PressSent(sent, rules, [name], has_attachment=True), at, who)
    codes = (
        "unknown ambiguous nobody yourself no-team empty fake form where-it-ends end-without-press no-press public-only private-only team-only "
        "no-grey closed game-over you-are-out they-are-out no-observers vacant writer-gone too-long too-many "
        "evidence too-many-at-once too-many-lines nobody-looks-on"
    )
    for code in codes.split():
        yield (
            f"press {code}",
            notice_page(
                PressSent(
                    [Outcome(code, written=name, options=(name,), limit=60)],
                    rules,
                    [name],
                    has_attachment=False,
                ),
                at,
                who,
            ),
        )
    for why in ("mixed", "to-whom"):
        yield f"press held {why}", notice_page(PressHeld(why, text, "reply:"), at, who)
    for heading in ("", "reply:", f"press to {name}:"):
        copies = (
            f"press to {name}:\nhello\nmarch 2\nENDPRESS",
            f"press to {name}:\nhello\nENDPRESS\nmarch 2",
        )
        yield (
            f"press doubtful {heading}",
            notice_page(
                PressDoubtful(("march 2",), *copies, heading=heading, signed=not heading), at, who
            ),
        )
    yield (
        "press doubtful long",
        notice_page(
            PressDoubtful(("march 2",), f"press to {name}:\n" + "hello " * 600, "march 2"), at, who
        ),
    )
    yield "muted", notice_page(PressMuted((name, "grey press"), "", ()), at, who)
    yield "nobody muted", notice_page(PressMuted((), name, (name,)), at, who)
    for digest in ("at once", "hourly", "daily"):
        yield f"digest {digest}", notice_page(DigestSet(digest), at, who)


def every_notice(at: Table, who: Reader) -> Iterator[tuple[str, Page]]:
    name, when = who.name, NOW - timedelta(hours=1)
    one = Quoted(f"march 2 from P1\nto {name}", NOW)
    others = [
        Quoted("bid 5", NOW, name, why, f"{name}@x.example")
        for why in ("long", "other-address", "dmarc-failed", "unreadable")
    ]
    yield "confirm_sender", notice_page(ConfirmSender([one], NOW), at, who, "abcd1234")
    yield (
        "confirm_sender_several",
        notice_page(ConfirmSender([one, Quoted("", NOW, name), *others], NOW), at, who, "abcd1234"),
    )
    yield (
        "confirm_sender_which",
        notice_page(
            ConfirmSender([one], NOW, [("heron", at.title), ("wolf", name)], unclear=True),
            at,
            who,
            "abcd1234",
        ),
    )
    yield "confirm_sender_none", notice_page(ConfirmSender(others[:1], NOW), at, who, "")
    yield "gm_knocked", notice_page(GmKnocked([(f"{name}@x.example", 1)], 0), at, who)
    yield (
        "gm_knocked_many",
        notice_page(GmKnocked([("a@x.example", 3), ("b@x.example", 1)], 7), at, who),
    )
    yield "another_table", notice_page(AnotherTable(f"Swan: {name}"), at, who)
    yield "too_short", notice_page(TooShort("?", "Orders", NOW), at, who)
    yield "words_cut", notice_page(WordsCut(("history", "profile")), at, who)
    yield "asked_enough", notice_page(AskedEnough(), at, who)
    yield "wrong_phase", notice_page(WrongPhase("Consolidation", at.deadline), at, who)
    for done in (True, False):
        missed = Missed(NOW, NOW + timedelta(minutes=2), all_done=done, is_told=done)
        yield (
            f"came_before {done}",
            notice_page(CameBefore(missed, "Orders" if done else "", at.deadline), at, who),
        )
        yield f"gm_came_before {done}", notice_page(GmCameBefore(name, missed), at, who)
    yield (
        "question_elsewhere",
        notice_page(QuestionElsewhere("a@x.example", f"yes\n{name}"), at, who, "c-1"),
    )
    yield "eliminated", notice_page(PlayerEliminated(), at, who)
    yield "game_over", notice_page(GameOver(), at, who)
    yield "not_your_game", notice_page(NotYourGame(name), at, who)
    yield "let_go", notice_page(LetGo("which-game", [f"bid 5\n{name}"], 1), at, who)
    yield "let_go_unproven", notice_page(LetGo("orders", ["bid 5", f"hold {name}"], 2), at, who)
    yield "subject_not_read", notice_page(SubjectNotRead(f"fortify P1 {name}"), at, who)
    yield "through_a_list", notice_page(ThroughAList("l@x.example", f"bid 5\n{name}"), at, who)
    yield (
        "confirm_alias",
        notice_page(ConfirmAlias("a+b@x.example", f"bid 5\n{name}"), at, who, "c-1"),
    )
    yield "gm_alias", notice_page(GmAlias(name, "a+b@x.example", "a@x.example"), at, who)
    for what in ("resign", "forget", "stand-in", "address", "alias", "orders", "door"):
        yield f"question_over_{what}", notice_page(QuestionOver(what, "expired", NOW), at, who)
        yield f"question_unclear_{what}", notice_page(QuestionUnclear(what, "sure"), at, who, "c-1")
    for why in ("yes", "no", "replaced"):
        yield f"question_over_{why}", notice_page(QuestionOver("resign", why, NOW), at, who)
    yield (
        "which_game",
        notice_page(
            WhichGameAsked([at.title, name], ["heron", "grey-swan"], NOW, ["bid 5", name]),
            at,
            who,
            "abcd1234",
        ),
    )
    yield "nothing_found", notice_page(NothingFound(), at, who)
    yield (
        "orders_stand",
        notice_page(OrdersStand(("Bid 7", f"Send 10 to {name}"), f"never mind\n{name}"), at, who),
    )
    yield "orders_in_note", notice_page(OrdersInNote(f"hi {name}\nbid 5", ("bid 5",)), at, who)
    yield "note_repeated", notice_page(NoteRepeated(f"hello\nfrom {name}"), at, who)
    yield "note_passed", notice_page(NotePassed(f"hello\nfrom {name}"), at, who)
    yield "colours_are_dealt", notice_page(ColoursAreDealt(), at, who)
    for is_master in (False, True):
        yield (
            f"was_it_an_order {is_master}",
            notice_page(WasItAnOrder(f"flurb\n{name}", is_master=is_master), at, who),
        )
    for reason in ("too-large", "too-deep", "header-too-long", "refused-charset", "sender-unclear"):
        yield f"unreadable {reason}", notice_page(MailUnreadable(reason), at, who)
    yield "close_held", notice_page(CloseHeld(when, 120), at, who)
    yield "deadline_changed", notice_page(DeadlineChanged(when, at.deadline, name), at, who)
    yield "orders_unlocked", notice_page(OrdersUnlocked(name), at, who)
    yield "strike", notice_page(StrikeGiven(name, 2, f"{name} told everybody"), at, who)
    yield "gm_note", notice_page(GmNote(name, f"a question from {name}\n\nwith two parts"), at, who)
    yield (
        "gm_bounce",
        notice_page(GmBounce(name, "anna@example.org", f"550 no such user {name}"), at, who),
    )
    yield (
        "gm_bounce for now",
        notice_page(GmBounce(name, "anna@example.org", "552 5.2.2 mailbox full", when), at, who),
    )
    for until in (None, when):
        yield (
            f"mail_comes_back {until}",
            notice_page(
                MailComesBack("anna@example.org", "552 5.2.2 mailbox full", until), at, who
            ),
        )
    yield "gm_shunted", notice_page(GmShunted(name, 7, "KeyError"), at, who)
    yield "close_failed", notice_page(CloseFailed("KeyError", 3, when), at, who)
    for channel in ("mail", "telegram"):
        yield f"set_aside {channel}", notice_page(SetAside(when, channel), at, who)


def every_announcement(at: Table, who: Reader) -> Iterator[tuple[str, Page]]:
    name, when = who.name, NOW - timedelta(hours=30)
    for reason in ("", f"the mail server of {name} is down"):
        yield f"paused {reason}", notice_page(Paused(name, reason), at, who)
        yield (
            f"ended {reason}",
            notice_page(Ended(name, reason, "12" * 32 if reason else "", "ab" * 32), at, who),
        )
    yield "closed-early", notice_page(ClosedEarly(NOW + timedelta(hours=20), name), at, who)
    yield "resumed", notice_page(Resumed(when, NOW + timedelta(hours=20), name), at, who)
    for newcomer in ("", f"{name} junior"):
        yield f"replaced {newcomer}", notice_page(Replaced(name, newcomer, "Greta"), at, who)
    yield "unseated", notice_page(Unseated(name), table(code=""), who)
    yield "announcement", notice_page(Announced(f"Hello {name}\nand all others", name), at, who)
    yield (
        "note_answered",
        notice_page(NoteAnswered(f"may {name} know?", f"yes, {name}\nof course", name), at, who),
    )
    yield "looked", notice_page(Looked(name, NOW, name), at, who)
    yield (
        "third_strike",
        notice_page(ThirdStrike(name, ["Heron", "Egret"]), at, reader(None, "Gerda")),
    )
    yield "closed_unread", notice_page(ClosedUnread(7, at.deadline), at, reader(None, "Gerda"))

"""What a receipt says: every problem code in words, and the line under its right heading."""

import ast
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from engine.protectors import orders as o
from engine.ruleset import Fact, Problem
from pbem.games.protectors.pages.cast import cast_of
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.pages.receipt import PROBLEMS, reason_of
from pbem.pages.page import ReceiptItem
from pbem.pages.rendering import has_macro
from tests.games.protectors.pages.sample import ATTACK, BAD, GOOD, receipt_facts, table, view
from tests.pages.sample import reader
from tests.rows import each_row

ROOT = Path(__file__).parents[4]
CODES = (
    *("not-understood", "unknown-player", "ambiguous-player", "unknown-province"),
    *("ambiguous-province", "not-your-province", "no-units", "not-neighbours", "too-few-units"),
    *("no-gold-in-bracket", "second-golden", "second-order", "out-of-range", "not-now"),
    *("cannot-afford", "forbidden-this-turn", "supply-limit", "no-such-ability", "used-up"),
    *("no-order", "already-final", "fights-team-mate", "loose-question", "nothing-supposed"),
    *("nobody-supposed", "too-long", "hidden-card", "hidden-purse", "final-held"),
    *("final-of-nothing", "beside-question", "final-in-question"),
)
FACTS: tuple[Mapping[str, Fact], ...] = (
    {},
    {"province": 3, "target": 5, "neighbours": (2, 4), "own": (1, 2)},
    {"number": 9, "least": 1, "most": 3},
    {"cost": 200, "held": 132},
    {"stands": "Fortify! P1", "type": "march", "golden": ("work",)},
    {"card": "Flood!"},
    {"phase": "orders", "when": ("consolidation",)},
    {"named": "Zoe", "players": ("Bartek", "Mei")},
    {"named": "Emil", "eliminated": True, "players": ("Mei",)},
    {"candidates": ("Anna", "Anton")},
    {"candidates": (1, 2)},
    {"units": 2, "ordered": 3, "province": 2},
    {"missing": "number", "units": 2, "province": 2},
    {"level": 3, "province": 1},
    {"burnt": True, "province": 1},
    {"ability": "Crusade"},
    {"province": 3, "player": "Anna"},
    {"province": 0, "target": 0, "neighbours": ()},
    {"room": 1, "province": 2},
    {"provinces": 7},
    {"sacrifice": True, "units": 1},
)


def told_problems() -> list[tuple[str, tuple[str, ...]]]:
    """Every code with its rules as checking and reading spell them out."""
    found: set[tuple[str, tuple[str, ...]]] = set()
    for path in (
        *(ROOT / "engine" / "protectors").glob("**/*.py"),
        *(ROOT / "pbem" / "grammar").glob("protectors*.py"),
    ):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("refuse", "warn", "Problem", "Refusal")
            ):
                words = [
                    arg.value
                    for arg in node.args
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                ]
                if words and not words[0].startswith("PR-"):
                    found.add(
                        (words[0], tuple(word for word in words[1:] if word.startswith("PR-")))
                    )
    return sorted(found)


def test_the_codes_known_here_are_those_that_checking_and_reading_use() -> None:
    assert {code for code, _ in told_problems()} <= set(CODES)
    assert len(told_problems()) > 50


@each_row(("code", "rules"), told_problems())
def test_every_problem_is_worded_with_the_rule_it_comes_with(
    code: str, rules: tuple[str, ...]
) -> None:
    for facts in FACTS:
        for warning in (False, True):
            words = reason_of(Problem(code, rules, facts, warning=warning), cast_of(view(), 1)).body
            assert words.text.endswith((".", "?")), words
            assert words.text != "That is not possible."
            assert not any(
                leak in words.text + words.html
                for leak in ("None", "{", "[]", "()", "Undefined", "PR-")
            )


@each_row("code", CODES)
def test_every_problem_code_has_words_of_its_own(code: str) -> None:
    assert has_macro(PROBLEMS, code.replace("-", "_"))
    for facts in FACTS:
        for warning in (False, True):
            words = reason_of(
                Problem(code, ("PR-6.19",), facts, warning=warning), cast_of(view(), 1)
            ).body
            assert words.text.endswith((".", "?", ")")), words
            assert not any(
                leak in words.text + words.html for leak in ("None", "{", "[]", "()", "Undefined")
            )


def test_an_unknown_code_is_still_answered() -> None:
    assert reason_of(Problem("unheard-of"), cast_of(view(), 1)).body.text == "That is not possible."


def test_a_receipt_tells_what_counts_and_then_what_was_not_taken() -> None:
    text = PAGES.receipt(table(), reader(), view(), receipt_facts()).text
    heads = [
        *("1 ORDER IN, 2 NEED YOU", "YOUR ORDERS\n    1. Golden", "NOT UNDERSTOOD", "NOT POSSIBLE"),
    ]
    places = [text.index(head) for head in heads]
    assert places == sorted(places)


def test_the_caret_stands_under_the_word() -> None:
    text = PAGES.receipt(table(), reader(), view(), receipt_facts()).text
    assert "    send 200 to Mei\n         ^^^\n" in text


def test_suggestions_are_taken_by_their_number_and_a_single_one_by_yes() -> None:
    two = PAGES.receipt(table(), reader(), view(), receipt_facts()).text
    assert 'yes 1  takes "Fortify! P1"' in two
    assert "(yes 2)" in two
    one = PAGES.receipt(
        table(), reader(), view(), receipt_facts(GOOD, BAD[0], offered=((1, "Fortify! P1"),))
    ).text
    assert 'Did you mean "Fortify! P1"? Then answer yes. If not' in " ".join(one.split())


def test_an_offer_of_several_orders_is_a_list() -> None:
    meant = "Fortify! P1\nWork, work! P4"
    item = replace(BAD[0], suggestion=meant)
    text = PAGES.receipt(table(), reader(), view(), receipt_facts(item, offered=((1, meant),))).text
    assert "Did you mean these 2 orders? Then answer yes." in text
    assert "    Fortify! P1\n    Work, work! P4\n" in text


def test_f73_while_words_wait_no_line_to_copy_is_about_others() -> None:
    """F-73: beside words that were not taken, a gap is named without a line of its own."""
    talk = ReceiptItem(1, "the two in P1 stay", None, (), (Problem("not-understood"),))
    page = PAGES.receipt(table(), reader(), view(), receipt_facts(GOOD, talk, offered=()))
    for form in (page.text, page.chat):
        told = " ".join(form.split())
        assert "orders for P1" in told
        assert "You can send" not in told


def test_f80_talk_is_quoted_at_the_end_and_called_no_order() -> None:
    """F-80: words without an order are told of once, together, and need nobody."""
    talk = [
        ReceiptItem(i, quote, None, (), (Problem("not-understood", (), {"why": "no-verb"}),))
        for i, quote in enumerate(("been a long week", "half the table wants it"), 1)
    ]
    page = PAGES.receipt(table(), reader(), view(), receipt_facts(*talk, GOOD, offered=()))
    assert page.subject == "[Heron] Turn 6: 1 order in, some words not used"
    for form in (page.text, page.chat):
        assert form.count("We found no order in these words.") == 1
        assert "not count" not in form
        places = [form.index(words) for words in ("Golden", talk[0].quote, talk[1].quote)]
        assert places == sorted(places)


def test_f80_what_one_offer_means_is_not_asked_again() -> None:
    """F-80: lines that one suggestion is for are quoted above it, and nothing else is said of
    them.
    """
    meant = "Fortify! P1\nWork, work! P2"
    first = replace(BAD[0], suggestion=meant)
    other = ReceiptItem(
        3, "P2 the same", (0, 2), (), (Problem("not-understood", (), {"word": "same"}),)
    )
    facts = receipt_facts(first, replace(other, is_offered=True), offered=((1, meant),))
    page = PAGES.receipt(table(), reader(), view(), facts)
    for form in (page.text, page.chat):
        assert form.index("P2 the same") < form.index("Did you mean")
        assert "We do not understand" not in form
        assert form.count("?") == 1


def test_f80_the_marked_word_is_named() -> None:
    """F-80: what was not understood is told in words, as it was written."""
    item = ReceiptItem(1, "fortify P1 wth gold", (11, 14), (), (Problem("not-understood"),))
    page = PAGES.receipt(table(), reader(), view(), receipt_facts(item, offered=()))
    for form in (page.text, page.chat):
        assert "We do not understand" in form
        assert "wth" in form.partition("We do not understand")[2][:20]


def test_a_whole_message_is_taken_with_its_sum_and_the_version() -> None:
    page = PAGES.receipt(table(), reader(), view(), receipt_facts(GOOD, offered=(), version=3))
    assert page.subject == "[Heron] Turn 6: 1 in, 1 missing: orders for P1"
    assert "Yours 2 + 1 (gold) − 1 (snow) = 2. Bartek has 2 there." in page.text
    assert "Version 3, received Fri 20 Nov, 21:12 your time." in page.text
    told = " ".join(page.text.split())
    assert (
        "Missing: orders for P1. It holds and does not fortify. You can send: Fortify! P1" in told
    )


def test_reading_23_a_receipt_counts_and_says_when_all_is_fine() -> None:
    both = ReceiptItem(2, "p1 fortifies", None, ("Fortify! P1",))
    orders = (*receipt_facts(GOOD).standing_orders, o.Fortify(1))
    facts = receipt_facts(
        GOOD, both, offered=(), standing=(*GOOD.texts, *both.texts), standing_orders=orders
    )
    page = PAGES.receipt(table(), reader(), view(), facts)
    assert page.subject == "[Heron] Turn 6: 2 orders in, all fine"
    assert page.chat.startswith("<b>2 orders in, all fine</b>")
    assert "Missing" not in page.text


def test_reading_26_a_receipt_says_each_order_once() -> None:
    text = PAGES.receipt(table(), reader(), view(), receipt_facts(GOOD, offered=())).text
    assert text.count(GOOD.texts[0]) == 1


def test_nothing_taken_tells_what_the_rules_would_do() -> None:
    page = PAGES.receipt(
        table(), reader(), view(), receipt_facts(*BAD, standing=(), standing_orders=())
    )
    assert "NOTHING OF THIS COUNTS YET" in page.text
    assert (
        "If you send nothing, P1 and P2 fortify, P1 with your golden Fortify. [PR-6.2]"
        in page.text.replace("\n", " ")
    )


def test_f38_a_refused_bid_alone_says_that_the_default_purchase_spends_the_money() -> None:
    bid = ReceiptItem(
        1, "Bid nothing", None, (), (Problem("not-now", ("PR-3.6",), {"phase": "consolidation"}),)
    )
    facts = receipt_facts(bid, standing=(), standing_orders=(), offered=())
    page = PAGES.receipt(table(), reader(), view(stage="consolidation", turn=11), facts)
    for form in (page.text, page.chat):
        told = " ".join(form.replace("\xa0", " ").split())
        assert "If you send nothing more, we buy 1 unit in P2 (75 $Realm)" in told
        assert "To keep your money, send" in told


def test_a_warning_leaves_the_line_understood() -> None:
    item = ReceiptItem(
        1,
        "march 9 from p2 to p3",
        None,
        ("March! 9 from P2 to P3",),
        (Problem("too-few-units", ("PR-6.5",), {"units": 2, "province": 2}, warning=True),),
    )
    text = PAGES.receipt(table(), reader(), view(), receipt_facts(item, offered=())).text
    assert "NOT POSSIBLE" not in text
    assert (
        "P2 has 2 units. We keep the order, and as many as are there will go. [PR-6.5]"
        in text.replace("\n  ", " ")
    )


def test_money_and_strength_are_added_up_under_what_counts() -> None:
    bought = ReceiptItem(1, "buy 1 in p2, bid 40", None, ("Buy 1 in P2", "Bid 40"))
    orders = (o.Buy(1, 2), o.Bid(40))
    page = PAGES.receipt(
        table(),
        reader(),
        view(stage="consolidation"),
        receipt_facts(bought, standing=bought.texts, standing_orders=orders, offered=()),
    )
    assert "In all 75 (units) + 40 (bid) = 115 of your 132 $Realm." in page.text
    sent = ReceiptItem(1, "1 from p1", None, ("Commit 1 from P1",))
    facts = receipt_facts(sent, standing=sent.texts, standing_orders=(o.Commit(1, 1),), offered=())
    text = PAGES.receipt(table(), reader(), view(stage="dragon", attack=ATTACK), facts).text
    assert "You send 1 (needed 2)." in text
    assert "Missing: 1 unit against the Dragon. If the Dragon wins, you pay for the rest." in text


def test_a_purchase_is_only_missed_where_one_is_possible() -> None:
    bid = ReceiptItem(1, "bid 4", None, ("Bid 4",))
    facts = receipt_facts(bid, standing=bid.texts, standing_orders=(o.Bid(4),), offered=())
    rich = PAGES.receipt(table(), reader(), view(stage="consolidation"), facts).text
    poor = PAGES.receipt(table(), reader(2, "Bartek"), view(2, stage="consolidation"), facts).text
    assert "Missing: purchases. You buy nothing. You can send:\n\n    buy nothing\n" in rich
    assert "Missing" not in poor


def test_what_was_read_from_other_words_quotes_them() -> None:
    plain = ReceiptItem(1, "fortify! p1.", None, ("Fortify! P1",))
    free = ReceiptItem(1, "P1 digs in", None, ("Fortify! P1",))
    facts = receipt_facts(free, standing=free.texts, standing_orders=(o.Fortify(1),), offered=())
    assert 'You wrote "P1 digs in".' in PAGES.receipt(table(), reader(), view(), facts).text
    facts = receipt_facts(plain, standing=plain.texts, standing_orders=(o.Fortify(1),), offered=())
    assert "You wrote" not in PAGES.receipt(table(), reader(), view(), facts).text


def test_f26_a_suggestion_says_what_it_would_replace() -> None:
    item = ReceiptItem(
        1,
        "buy some in p2",
        None,
        (),
        (Problem("not-understood", ("PR-6.19",), {"why": "unknown", "word": "some"}),),
        "Buy 1 in P2",
        instead=("Buy 1 in P1",),
    )
    facts = receipt_facts(
        item,
        standing=("Buy 1 in P1",),
        standing_orders=(o.Buy(1, 1),),
        offered=((1, "Buy 1 in P2"),),
    )
    page = PAGES.receipt(table(), reader(), view(stage="consolidation"), facts)
    told = " ".join(page.text.split())
    assert 'It takes the place of "Buy 1 in P1".' in told
    assert "It takes the place of <code>Buy 1 in P1</code>." in page.chat


def test_f27_what_was_not_read_names_what_is_open_and_a_line_to_copy() -> None:
    item = ReceiptItem(
        1,
        "if Ben comes, work P1",
        (0, 2),
        (),
        (Problem("not-understood", (), {"why": "condition", "word": "if"}),),
        example="Work, work! P1",
    )
    facts = receipt_facts(item, standing=(), standing_orders=(), offered=())
    page = PAGES.receipt(table(), reader(), view(), facts)
    told = " ".join(page.text.split())
    assert 'An order cannot depend on "if". Write what you do in any case.' in told
    assert 'You can send "Work, work! P1".' in told
    assert "If you send nothing, P1 and P2 fortify" in told
    assert "Missing" not in told  # that would say it twice
    assert "You can send <code>Work, work! P1</code>." in page.chat
    assert "If you send nothing, P1 and P2 fortify" in page.chat


def test_f27_after_a_final_no_order_needs_anybody() -> None:
    again = ReceiptItem(1, "final", (0, 5), (), (Problem("already-final", ("PR-1.10",)),))
    facts = receipt_facts(again, final=True, is_locked=True, offered=())
    page = PAGES.receipt(table(), reader(), view(), facts)
    assert page.subject.endswith(": your orders are final, and stay as they were")
    for form in (page.text, page.chat):
        told = " ".join(form.split())
        assert "not count" not in told
        assert "corrected orders" not in told
        assert "othing in this message changes them" in told

"""What is written on a board can be read: inside its province, beside all else, measured with the
fonts that draw it.
"""

from itertools import combinations
from math import hypot

import msgspec
import numpy as np
import pytest
from shapely.geometry import Polygon, box

from pbem.board.board import Chronicle
from pbem.board.faces import fit, has_letter, legible, width
from pbem.board.palette import (
    ARMS,
    ASH,
    COLOURS,
    CREAM,
    GOLD,
    HOT,
    INK,
    LAND,
    OCEAN,
    WALNUT,
    arms_of,
)
from pbem.board.paths import SIDE
from pbem.games.protectors.board.blocks import Tag, label_block
from pbem.games.protectors.board.choice import MANY, choose_marks
from pbem.games.protectors.board.drawing import Board, draw, draw_board, lay_board, texts_of
from pbem.games.protectors.board.land import Land
from pbem.games.protectors.board.map_edges import draw_map
from pbem.games.protectors.board.mapfile import parse_map
from pbem.games.protectors.board.margins import STRIP, Icon
from pbem.games.protectors.board.marks import SIGN
from pbem.games.protectors.board.scene import (
    Battle,
    Dragon,
    Fight,
    March,
    OrderMark,
    Province,
    Scene,
    Seat,
    Support,
)
from pbem.games.protectors.board.strokes import march_arrow
from pbem.games.protectors.board.teams import team_letters
from tests.board.colours import contrast
from tests.board.parts import areas_of, colours_of, parts_of
from tests.games.protectors.board.positions import busy_scene, land_of
from tests.rings import sampled
from tests.rows import each_row

SIZES = [*((n, n) for n in (2, 3, 5, 7, 12, 16)), (2, 4), (9, 18), (8, 40), (4, 52), (13, 52)]
Box = tuple[float, float, float, float]


def overlap(a: Box, b: Box, slack: float = 0.0) -> bool:
    return (
        a[0] + slack < b[2] and b[0] + slack < a[2] and a[1] + slack < b[3] and b[1] + slack < a[3]
    )


def boxes(board: Board) -> dict[str, list[Box]]:
    """Boxes of ink by what they belong to; the texts of one label are one box."""
    found: dict[str, list[Box]] = {}
    for what, words in texts_of(board):
        found.setdefault(what, []).append(words.box)
    return found


@each_row(("players", "provinces"), sampled(SIZES, 5))
def test_every_number_stands_inside_its_province_in_every_state(
    players: int, provinces: int
) -> None:
    land = land_of(players, provinces)
    owner = COLOURS[4]
    states: list[dict[str, object]] = [
        {},
        {"owner": owner, "units": 3, "level": 3},
        {"owner": owner},
        {"burnt": True},
        {"owner": owner, "units": 6, "start": True},
    ]
    for state in states:
        for number in range(1, provinces + 1):
            province = msgspec.convert(state | {"number": number}, Province)
            block = label_block(province, land.label(number))
            shape = Polygon(land.outline(number))
            for words in block.words[:2]:
                assert shape.contains(box(*words.box)), f"P{number} as {state}"


@pytest.mark.sample(4)
@pytest.mark.parametrize(("players", "provinces"), SIZES)
def test_a_number_never_moves_sideways_out_of_its_label_and_keeps_its_size(
    players: int, provinces: int
) -> None:
    land = land_of(players, provinces)
    for number in (1, provinces):
        label = land.label(number)
        empty = label_block(Province(number), label)
        full = label_block(Province(number, "red", 3, 3, start=True), label)
        assert empty.words[1].size == full.words[1].size
        assert abs(empty.words[1].x - full.words[1].x) < 40 * label.scale


@pytest.mark.sample(7)
@pytest.mark.parametrize("lot", [1, 2])
@pytest.mark.parametrize(("players", "provinces"), SIZES)
def test_labels_corners_and_ranking_do_not_overlap_each_other(
    players: int, provinces: int, lot: int
) -> None:
    board = lay_board(busy_scene(players, provinces, lot), land_of(players, provinces))
    found = boxes(board)
    labels = [
        (what, each) for what, many in found.items() if what.startswith("P") for each in many[1:2]
    ]
    margins = [("corner", each) for each in found["corner"]] + [
        ("ranking", each) for each in found["ranking"]
    ]
    clashes = [
        (a, b) for (a, one), (b, two) in combinations([*labels, *margins], 2) if overlap(one, two)
    ]
    assert clashes == []
    assert all(
        x0 >= 0 and x1 <= SIDE and y0 >= 0 and y1 <= SIDE + STRIP for _, (x0, y0, x1, y1) in margins
    )
    assert all(x0 > 24 and x1 < SIDE - 24 for x0, _, x1, _ in found["corner"])


@each_row(("players", "provinces"), SIZES)
def test_no_figure_of_an_arrow_or_battle_covers_a_number(players: int, provinces: int) -> None:
    found = boxes(lay_board(busy_scene(players, provinces, 3), land_of(players, provinces)))
    numbers = [each for what, many in found.items() if what.startswith("P") for each in many[:2]]
    figures = [*found.get("arrow", []), *found.get("battle", [])]
    assert [
        figure for figure in figures if any(overlap(figure, number) for number in numbers)
    ] == []
    assert [pair for pair in combinations(figures, 2) if overlap(*pair)] == []


@each_row(("players", "provinces"), SIZES)
def test_figures_are_large_enough_to_be_read_on_a_phone(players: int, provinces: int) -> None:
    """READING-22. 360 px are a third of the board: what is written around the map is 10 px there,
    and so are the figures of few provinces; those of many at least 6.
    """
    few = provinces <= 7
    for what, words in texts_of(
        lay_board(busy_scene(players, provinces, 3), land_of(players, provinces))
    ):
        figure = 26 if few else 18
        least = {"battle": figure, "arrow": figure, "corner": 30, "ranking": 30}.get(what, 14)
        assert words.size >= least, (what, words.text)


@pytest.mark.parametrize(("players", "provinces"), [(7, 7), (16, 16), (8, 40)])
def test_arrows_begin_in_their_province_and_end_in_the_next(players: int, provinces: int) -> None:
    land, scene = land_of(players, provinces), busy_scene(players, provinces, 5, marks=0.6)
    chosen = choose_marks(scene).orders
    marches = [order for order in chosen if isinstance(order, March)]
    board = lay_board(scene, land)
    assert len(board.arrows) == len(marches)
    for arrow, march in zip(board.arrows, marches, strict=True):
        assert (
            Polygon(land.outline(march.origin))
            .buffer(14)
            .contains(box(arrow.x, arrow.y, arrow.x, arrow.y).centroid)
        )


def with_fight(share_of_land: float) -> str:
    from pbem.games.protectors.board.marks import battle_mark

    mark = battle_mark(Battle(12, (Fight("red", "blue", 4, -2),)), 100, 100, 1, share_of_land)
    return mark.words[0].text


def test_a_battle_that_lies_half_outside_names_its_province() -> None:
    assert with_fight(0.8) == "4:−2"
    assert with_fight(0.3) == "P12 4:−2"


def test_several_fights_in_one_province_are_one_mark_with_a_ribbon_each() -> None:
    scene = msgspec.structs.replace(
        busy_scene(7, 7),
        battles=(Battle(3, (Fight("red", "blue", 3, 1), Fight("red", "green", 2, 2))),),
    )
    (mark,) = lay_board(scene, land_of(7, 7)).battles
    assert [words.text.split()[-1] for words in mark.words] == ["3:1", "2:2"]
    assert not overlap(mark.words[0].box, mark.words[1].box)


def many(count: int, **marks: bool) -> tuple[March, ...]:
    return tuple(March("red", 1 + i % 40, 1 + (i + 1) % 40, 1, **marks) for i in range(count))


def test_up_to_fifteen_arrows_are_all_shown() -> None:
    scene = msgspec.structs.replace(busy_scene(8, 40), marches=many(MANY), supports=())
    chosen = choose_marks(scene)
    assert (chosen.optional, chosen.left_out, len(chosen.orders)) == (MANY, 0, MANY)


def test_above_fifteen_battles_come_first_then_gold_then_the_rest() -> None:
    marches = (*many(14), *many(2, golden=True), *many(3, fought=True))
    scene = msgspec.structs.replace(
        busy_scene(8, 40), marches=marches, supports=(Support("blue", 1, 2, fought=True),)
    )
    chosen = choose_marks(scene)
    assert [(order.fought, order.golden) for order in chosen.orders[:6]] == [(True, False)] * 4 + [
        (False, True)
    ] * 2
    assert chosen.optional == 4


def test_the_corner_says_when_not_all_arrows_are_shown() -> None:
    plan = land_of(8, 40).plan
    marches = tuple(March("red", a, b, 1) for a, b in plan.borders[:40])
    board = lay_board(
        msgspec.structs.replace(busy_scene(8, 40), marches=marches, supports=()), land_of(8, 40)
    )
    assert len(board.arrows) < 40
    assert "Main arrows" in [words.text for words in board.corners.words]


def test_extended_support_is_dotted_and_gold() -> None:
    scene = msgspec.structs.replace(
        busy_scene(7, 7),
        marches=(),
        supports=(Support("red", 1, 3, golden=True, extended=True), Support("red", 1, 2)),
    )
    far, near = lay_board(scene, land_of(7, 7)).hooks
    assert far.dots
    assert far.fill == GOLD
    assert not near.dots
    assert near.fill == arms_of("red").full


def test_work_and_fortify_are_marked_beside_the_men_gold_when_golden() -> None:
    label = land_of(7, 7).label(1)
    work = label_block(Province(1, "blue", 2, order=OrderMark("work", "blue")), label).badge
    wall = label_block(
        Province(1, "blue", 2, order=OrderMark("fortify", "red", golden=True)), label
    ).badge
    assert work is not None
    assert wall is not None
    assert (work.kind, work.fill, work.ring) == ("work", CREAM, arms_of("blue").full)
    assert (wall.kind, wall.fill, wall.ring) == ("fortify", GOLD, arms_of("red").full)


def test_a_mark_of_an_order_lies_beside_the_sign_in_its_province() -> None:
    """READING-13: it hid a part of the sign."""
    scene, land = busy_scene(16, 16, 2), land_of(16, 16)
    blocks = [block for block in lay_board(scene, land).blocks if block.badge]
    assert len(blocks) > 2
    for block in blocks:
        coat, badge = block.coat, block.badge
        assert coat is not None
        assert badge is not None
        away = hypot(badge.x - coat.x, badge.y - coat.y)
        assert away > coat.radius + badge.radius, block.province
        middle = box(badge.x, badge.y, badge.x, badge.y).centroid
        assert Polygon(land.outline(block.province)).contains(middle)


def test_the_winner_of_a_battle_is_told_by_a_sign() -> None:
    """READING-14: `2:2` in a colour tells nobody who won."""
    battles = (Battle(3, (Fight("red", "blue", 2, 2),)),)
    scene = msgspec.structs.replace(busy_scene(7, 7), battles=battles, marches=(), supports=())
    (mark,) = lay_board(scene, land_of(7, 7)).battles
    (ribbon,) = mark.ribbons
    left = ribbon.words.x - width(ribbon.words.text, "sans", ribbon.words.size) / 2
    assert -ribbon.half < ribbon.sign - SIGN < ribbon.sign + SIGN < left
    battle = next(parts_of(draw(scene, land_of(7, 7)), "battles"))
    assert arms_of("red").path in {part.get("d") for part in battle.iter()}


def heads_of(board: Board) -> list[tuple[float, float]]:
    """The tips of the arrows: the second point of their last shape."""
    shapes = [arrow.path.rsplit("M", 1)[1].split("L") for arrow in board.arrows]
    tips = [shape[1].split(",") for shape in shapes]
    return [(float(x), float(y)) for x, y in tips]


@pytest.mark.parametrize(("players", "provinces"), [(7, 7), (16, 16), (8, 40)])
def test_heads_of_arrows_do_not_meet(players: int, provinces: int) -> None:
    """READING-12: three of them met in one place, red over green over orange."""
    pairs = near = 0
    for lot in range(1, 7):
        board = lay_board(busy_scene(players, provinces, lot), land_of(players, provinces))
        apart = [hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(heads_of(board), 2)]
        pairs += len(apart)
        near += sum(distance < 60 for distance in apart)
        assert all(distance > 38 for distance in apart)
    assert pairs > 15
    assert near <= 2, "only where a border is too short for two"


def test_arms_ride_only_far_from_the_seal() -> None:
    """READING-12: on a short stroke they hid it."""
    line = np.stack([np.linspace(0, 100, 41), np.zeros(41)], 1)
    march = March("red", 1, 2, 3)
    assert march_arrow(line, march, 1, rider=True).rider is None
    assert march_arrow(line * 1.5, march, 1, rider=True).rider is not None
    assert march_arrow(line * 1.5, march, 1, rider=False).rider is None


def test_only_burning_land_has_a_flame() -> None:
    """READING-16: a flame in every province that ever burnt was the loudest thing of a late map."""
    label = land_of(7, 7).label(1)
    burning = label_block(Province(1, burnt=True, burning=True), label)
    ash = label_block(Province(1, burnt=True), label)
    assert burning.flame is not None
    assert ash.flame is None
    assert ash.words[0].fill == CREAM


def test_the_letter_of_a_team_is_on_its_land_and_in_the_ranking() -> None:
    """READING-8."""
    scene = busy_scene(4, 4)
    teams = dict(zip(COLOURS[:4], ("Wolves", "Bears", "Wolves", "Bears"), strict=True))

    def in_teams(names: dict[str, str]) -> Scene:
        ranking = tuple(
            tuple(msgspec.structs.replace(seat, team=names[seat.colour]) for seat in bracket)
            for bracket in scene.ranking
        )
        return msgspec.structs.replace(scene, ranking=ranking)

    board = lay_board(in_teams(teams), land_of(4, 4))
    for block in board.blocks:
        if block.coat:
            assert block.coat.team == teams[block.owner][0]
            assert block.coat.letter is not None
            assert not overlap(block.coat.letter.box, block.words[0].box)
    for row in board.ranking.rows:
        assert teams[row.colour][0] in [words.text for words in row.words]
    alike = {colour: team.replace("Bears", "Whales") for colour, team in teams.items()}
    assert set(team_letters(in_teams(alike)).values()) == {"A", "B"}
    alone = [block.coat for block in lay_board(scene, land_of(4, 4)).blocks if block.coat]
    assert not any(coat.team for coat in alone)


def test_the_first_board_says_what_the_number_in_a_gatehouse_means() -> None:
    """READING-22."""
    scene = msgspec.structs.replace(busy_scene(7, 7), turn=1, arrows_turn=None)
    first = lay_board(scene, land_of(7, 7)).corners
    assert isinstance(first.key, Tag)
    assert "level 1" in [words.text for words in first.words]
    later = lay_board(msgspec.structs.replace(scene, turn=2), land_of(7, 7)).corners
    assert later.key is None
    assert lay_board(busy_scene(7, 7), land_of(7, 7)).corners.key == Icon("march", 45.0, 140.0)


def test_a_chronicle_does_not_say_twice_of_which_turn_its_arrows_are() -> None:
    scene = busy_scene(7, 7)
    assert scene.arrows_turn is not None
    told = Chronicle(scene.arrows_turn, f"Turn {scene.arrows_turn}", "Orders", "")
    shown = lay_board(msgspec.structs.replace(scene, chronicle=told), land_of(7, 7)).corners
    assert shown.key is None
    later = msgspec.structs.replace(told, number=told.number + 1, turn="Turn 99")
    shown = lay_board(msgspec.structs.replace(scene, chronicle=later), land_of(7, 7)).corners
    assert shown.key == Icon("march", 45.0, 140.0)


def test_the_dragon_is_told_to_newcomers() -> None:
    """READING-22: `0 of 12` told them nothing."""
    scene = msgspec.structs.replace(busy_scene(7, 7), dragon=Dragon(0, 12, 1))
    texts = [words.text for words in lay_board(scene, land_of(7, 7)).corners.words]
    assert {"attacks at 12", "0", "+1 per card"} <= set(texts)


def test_cards_without_room_have_short_names() -> None:
    cards = ("Power Overwhelming", "There be Dragons!", "Crab Infestation!", "The End is Nigh!")
    scene = msgspec.structs.replace(busy_scene(7, 7), cards=cards)
    texts = [words.text for words in lay_board(scene, land_of(7, 7)).corners.words]
    assert {"Power Overwhelming", "There be Dragons!", "Crabs!", "End is Nigh!"} <= set(texts)
    assert not any("…" in text for text in texts)


@pytest.mark.parametrize(("players", "provinces"), [(7, 7), (8, 40)])
def test_the_picture_says_what_its_parts_are(players: int, provinces: int) -> None:
    scene, land = busy_scene(players, provinces, 3), land_of(players, provinces)
    svg, board = draw(scene, land), lay_board(scene, land)
    everywhere = {f"P{number}" for number in range(1, provinces + 1)}
    assert areas_of(svg, "lands") == everywhere
    assert areas_of(svg, "battles") == {f"P{battle.province}" for battle in scene.battles}
    ordered = [block.badge.colour for block in board.blocks if block.badge]
    ordered += [hook.colour for hook in board.hooks]
    ordered += [arrow.colour for arrow in board.arrows]
    assert colours_of(svg, "orders") == ordered
    owners = {province.owner for province in scene.provinces if province.owner}
    assert set(colours_of(svg, "lands")) == set(colours_of(svg, "pieces")) == owners
    seats = [seat.colour for bracket in scene.ranking for seat in bracket]
    assert colours_of(svg, "margins") == seats


def test_units_above_three_are_one_man_and_a_number() -> None:
    block = label_block(Province(1, "blue", 5), land_of(7, 7).label(1))
    assert len(block.men) == 1
    assert [words.text for words in block.words] == ["P", "1", "×5"]
    assert len(label_block(Province(1, "blue", 3), land_of(7, 7).label(1)).men) == 3


def test_every_symbol_is_drawn_and_every_colour_is_known() -> None:
    scene = busy_scene(16, 16)
    svg = draw(scene, land_of(16, 16))
    assert all(arms.path in svg for arms in ARMS)
    assert len({arms.symbol for arms in ARMS}) == len({arms.full for arms in ARMS}) == 16
    assert arms_of("Red") is ARMS[0]
    with pytest.raises(ValueError, match="mauve"):
        arms_of("mauve")


def test_what_is_written_stands_out_from_its_ground() -> None:
    pairs = [(INK, LAND), (CREAM, ASH), (INK, OCEAN), (HOT, OCEAN), (CREAM, WALNUT)]
    pairs += [(arms.on, arms.full) for arms in ARMS] + [(INK, arms.tint) for arms in ARMS]
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


def test_names_are_escaped_and_cannot_reach_into_the_markup() -> None:
    scene = busy_scene(3, 3)
    seats = tuple((Seat('</text><script>"&', seat[0].colour, 1, 1, 1),) for seat in scene.ranking)
    svg = draw(msgspec.structs.replace(scene, ranking=seats, table="<b>&"), land_of(3, 3))
    assert "<script" not in svg
    assert "<b>" not in svg
    assert "&lt;b&gt;&amp;" in svg


@pytest.mark.parametrize(
    "name", ["Maximilian-Alexander von und zu Hohenstein", "W" * 300, "Ξενοφών Παπαδημητρακόπουλος"]
)
def test_a_long_name_is_cut_to_its_column(name: str) -> None:
    scene = busy_scene(16, 16)
    ranking = tuple(
        tuple(msgspec.structs.replace(seat, name=name, worth=128) for seat in bracket)
        for bracket in scene.ranking
    )
    board = lay_board(msgspec.structs.replace(scene, ranking=ranking, table=name), land_of(16, 16))
    found = boxes(board)
    assert [pair for pair in combinations(found["ranking"], 2) if overlap(*pair)] == []
    assert [pair for pair in combinations(found["corner"], 2) if overlap(*pair)] == []


def test_a_long_card_list_is_counted() -> None:
    scene = msgspec.structs.replace(
        busy_scene(7, 7), cards=("A", "B", "C"), staying=("D", "E", "F")
    )
    texts = [words.text for words in lay_board(scene, land_of(7, 7)).corners.words]
    assert "+ 3 staying" in texts
    crowded = msgspec.structs.replace(scene, cards=tuple("ABCDEF"), staying=())
    assert "+ 3 more" in [words.text for words in lay_board(crowded, land_of(7, 7)).corners.words]


def test_letters_no_font_has_give_way_to_the_colour_word() -> None:
    assert legible("李雷", "Pink") == "Pink"
    assert legible("Mei 李", "Pink") == "Mei"
    assert legible("🐉", "Red") == "Red"
    assert legible("Łukasz Ζωή Жук", "Red") == "Łukasz Ζωή Жук"
    assert not has_letter("\u202e")
    assert fit("Consolidation", 30, 60, 24)[0].endswith("…")
    assert width(*("Anna", "sans"), 20) == pytest.approx(2 * width("Anna", "sans", 10))


def test_the_same_scene_is_the_same_svg_and_another_scene_another() -> None:
    scene, land = busy_scene(9, 18), land_of(9, 18)
    assert draw(scene, land) == draw(scene, land)
    assert draw(scene, land) != draw(busy_scene(9, 18, 2), land)


def test_a_scene_of_another_land_is_refused() -> None:
    with pytest.raises(ValueError, match="provinces"):
        draw(busy_scene(7, 7), land_of(3, 3))


def test_marches_over_the_sea_and_to_the_island_are_drawn(
    own_island: Land, island_scene: Scene
) -> None:
    board = lay_board(island_scene, own_island)
    assert len(board.arrows) == 2
    assert board.island is not None
    assert "Island" in areas_of(draw_board(board), "lands")
    assert "Island" in [words.text for words in board.island.words]
    assert board.arrows[0].rider is not None, "the tail's province has changed hands"
    draw_board(board)


def test_a_battle_on_the_island_stands_beside_it(own_island: Land, island_scene: Scene) -> None:
    """It was put beside the last province."""
    battles = (Battle(0, (Fight("red", "blue", 2, 2),)),)
    board = lay_board(msgspec.structs.replace(island_scene, battles=battles), own_island)
    (mark,) = board.battles
    x, y = own_island.middle
    assert hypot(mark.x - x, mark.y - y) < own_island.reach + 60


@pytest.fixture(scope="module")
def own_island(crescent: str) -> Land:
    return draw_map(parse_map(crescent), 3, island=True)


@pytest.fixture
def island_scene() -> Scene:
    scene = busy_scene(3, 6)
    marches = (March("coral", 1, 4, 2), March("red", 4, 0, 1))
    return msgspec.structs.replace(
        scene, marches=marches, supports=(), battles=(), island=Province(0, "red", 1)
    )

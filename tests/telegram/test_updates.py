"""What updates say: all kinds of them, and whatever else bytes may hold."""

import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.telegram.updates import MAX_UPDATE_OCTETS, Joined, Said, Tapped, Unreadable, read_update
from tests.rows import each_row

ANNA = {
    "id": 5_000_000_001,
    "is_bot": False,
    "first_name": "Anna",
    "last_name": "Szabó",
    "username": "ben",
    "language_code": "en",
}
BOT = {"id": 77, "is_bot": True, "first_name": "Realm", "username": "realm_bot"}
PRIVATE = {"id": 5_000_000_001, "type": "private", "first_name": "Anna"}
GROUP = {"id": -4001, "type": "group", "title": "Heron"}
SUPERGROUP = {"id": -1002001, "type": "supergroup", "title": "Heron", "is_forum": True}
CHANNEL = {"id": -1003001, "type": "channel", "title": "News"}
AT = 1_709_208_000


def message(**changes: Any) -> dict[str, Any]:
    plain = {"message_id": 12, "date": AT, "chat": PRIVATE, "from": ANNA, "text": "P1: fortify"}
    return {key: value for key, value in {**plain, **changes}.items() if value is not None}


def read(kind: str, content: object) -> object:
    return read_update(json.dumps({"update_id": 9, kind: content}).encode())


def said(kind: str = "message", /, **changes: Any) -> Said:
    answer = read(kind, message(**changes))
    assert isinstance(answer, Said), answer
    return answer


def test_a_private_message_is_the_user_s_own_by_number_not_by_name() -> None:
    assert said() == Said(
        update_id=9,
        chat_id=5_000_000_001,
        chat_kind="private",
        user_id=5_000_000_001,
        user_name="Anna Szabó",
        text="P1: fortify",
        message_id=12,
        reply_to=None,
        is_edit=False,
        dated=datetime(2024, 2, 29, 12, 0, tzinfo=UTC),
        start_payload=None,
        command=None,
        addressed_to=None,
        sent_for_others=None,
        has_attachment=False,
        thread_id=None,
    )


def test_an_edit_counts_from_the_instant_of_the_edit() -> None:
    edit = said("edited_message", edit_date=AT + 60, text="P1: march")
    assert (edit.is_edit, edit.dated.minute, edit.text, edit.sent_for_others) == (
        True,
        1,
        "P1: march",
        None,
    )
    assert isinstance(read("edited_message", message()), Unreadable)


def test_replies_threads_and_groups() -> None:
    reply = said(
        chat=SUPERGROUP,
        reply_to_message=message(message_id=7, chat=SUPERGROUP),
        message_thread_id=3,
        is_topic_message=True,
    )
    assert (reply.chat_kind, reply.reply_to, reply.thread_id, reply.sent_for_others) == (
        "group",
        7,
        3,
        None,
    )
    assert said(chat=GROUP).chat_kind == "group"


@each_row(
    ("text", "command", "addressed_to", "payload"),
    [
        ("/start", "start", None, None),
        ("/start join_G7-x", "start", None, "join_G7-x"),
        ("/START@Realm_Bot join", "start", "realm_bot", "join"),
        ("/start two words", "start", None, None),
        ("/start " + "x" * 65, "start", None, None),
        ("/press to Ben: hello\nthere", "press", None, None),
        ("/help@other_bot", "help", "other_bot", None),
        (" /start x", None, None, None),
        ("see /start x", None, None, None),
        ("/", None, None, None),
        ("/ start", None, None, None),
        ("/start!", None, None, None),
        ("//start", None, None, None),
    ],
)
def test_commands_and_the_payload_of_deep_links(
    text: str, command: str | None, addressed_to: str | None, payload: str | None
) -> None:
    answer = said(text=text)
    assert (answer.command, answer.addressed_to, answer.start_payload, answer.text) == (
        command,
        addressed_to,
        payload,
        text,
    )


IMPERSONATIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "anonymous admin": (
        "sender-chat",
        "message",
        {"chat": SUPERGROUP, "from": BOT, "sender_chat": SUPERGROUP},
    ),
    "linked channel": (
        "sender-chat",
        "message",
        {"chat": SUPERGROUP, "sender_chat": CHANNEL, "is_automatic_forward": True},
    ),
    "channel in its own name": (
        "sender-chat",
        "message",
        {"chat": SUPERGROUP, "sender_chat": CHANNEL},
    ),
    "sender chat in private": ("sender-chat", "message", {"sender_chat": CHANNEL}),
    "forward of a user": (
        "forward",
        "message",
        {"forward_origin": {"type": "user", "sender_user": ANNA, "date": AT}},
    ),
    "forward of a hidden user": (
        "forward",
        "message",
        {"forward_origin": {"type": "hidden_user", "sender_user_name": "Anna", "date": AT}},
    ),
    "forward of a chat": (
        "forward",
        "message",
        {"forward_origin": {"type": "chat", "sender_chat": GROUP, "date": AT}},
    ),
    "forward of a channel": (
        "forward",
        "message",
        {"forward_origin": {"type": "channel", "chat": CHANNEL, "message_id": 1, "date": AT}},
    ),
    "forward of oneself": (
        "forward",
        "message",
        {"forward_origin": {"type": "user", "sender_user": ANNA, "date": AT}, "text": "/start x"},
    ),
    "forward as old servers tell it": (
        "forward",
        "message",
        {"forward_from": ANNA, "forward_date": AT},
    ),
    "forward with an empty origin": ("forward", "message", {"forward_origin": {}}),
    "edited forward": (
        "forward",
        "edited_message",
        {"edit_date": AT, "forward_origin": {"type": "user", "sender_user": ANNA, "date": AT}},
    ),
    "inline bot": ("via-bot", "message", {"via_bot": BOT}),
    "guest bot": ("via-bot", "message", {"guest_query_id": "1"}),
    "business account": ("business", "message", {"business_connection_id": "b1"}),
    "a bot for a business account": ("business", "message", {"sender_business_bot": BOT}),
    "another bot": ("bot", "message", {"chat": GROUP, "from": BOT}),
    "ourselves": ("bot", "message", {"from": BOT}),
    "nobody says whether a bot": (
        "bot",
        "message",
        {"from": {"id": 5_000_000_001, "first_name": "Anna"}},
    ),
    "is_bot is a word": ("bot", "message", {"from": {**ANNA, "is_bot": "false"}}),
    "no sender": ("no-sender", "message", {"from": None}),
    "no sender in a group": ("no-sender", "message", {"from": None, "chat": GROUP}),
    "somebody else's private chat": ("foreign-chat", "message", {"from": {**ANNA, "id": 6}}),
    "channel post": (
        "channel",
        "channel_post",
        {"chat": CHANNEL, "from": None, "sender_chat": CHANNEL},
    ),
    "signed channel post": (
        "channel",
        "channel_post",
        {"chat": CHANNEL, "author_signature": "Anna"},
    ),
    "edited channel post": ("channel", "edited_channel_post", {"chat": CHANNEL, "edit_date": AT}),
    "a channel as a message": ("channel", "message", {"chat": CHANNEL}),
}


@each_row("case", IMPERSONATIONS)
def test_what_is_sent_in_somebody_s_name_never_counts_as_their_own(case: str) -> None:
    reason, kind, changes = IMPERSONATIONS[case]
    assert said(kind, **changes).sent_for_others == reason


ATTACHED = [
    *("photo", "document", "audio", "voice", "video", "video_note", "animation", "sticker"),
    *("contact", "location", "venue", "poll", "dice", "game", "story", "paid_media", "checklist"),
    *("invoice", "live_photo"),
]


@each_row("attached", ATTACHED)
def test_attachments_are_noticed_with_and_without_a_caption(attached: str) -> None:
    without = said(text=None, **{attached: [{"file_id": "x"}]})
    assert (without.text, without.has_attachment, without.sent_for_others) == ("", True, None)
    with_caption = said(text=None, caption="/start x", **{attached: {"file_id": "x"}})
    assert (with_caption.text, with_caption.has_attachment) == ("/start x", True)
    assert not said().has_attachment


def test_a_tap_names_who_tapped_where() -> None:
    query = {
        "id": "4711",
        "from": ANNA,
        "chat_instance": "1",
        "data": "row7",
        "message": message(**{"from": BOT}),
    }
    assert read("callback_query", query) == Tapped(
        update_id=9,
        callback_id="4711",
        user_id=5_000_000_001,
        user_name="Anna Szabó",
        chat_id=5_000_000_001,
        chat_kind="private",
        message_id=12,
        data="row7",
    )
    old = {**query, "message": {"chat": GROUP, "message_id": 3, "date": 0}}
    tapped = read("callback_query", old)
    assert isinstance(tapped, Tapped)
    assert (tapped.chat_kind, tapped.message_id) == ("group", 3)


@each_row(
    "changes",
    [
        {"data": None, "game_short_name": "x"},
        {"message": None, "inline_message_id": "x"},
        {"data": "x" * 65},
        {"data": "é" * 33},
        {"data": 7},
        {"id": 7},
        {"from": None},
        {"from": BOT},
        {"from": {**ANNA, "id": 6}},
        {"message": {}},
        {"message": "x"},
        {"message": {"chat": {"id": 1, "type": "sender"}, "message_id": 3}},
    ],
)
def test_taps_that_are_none_of_ours_are_not_read(changes: dict[str, Any]) -> None:
    query = {
        "id": "4711",
        "from": ANNA,
        "chat_instance": "1",
        "data": "row7",
        "message": message(),
        **changes,
    }
    assert isinstance(
        read("callback_query", {key: value for key, value in query.items() if value is not None}),
        Unreadable,
    )


def membership(chat: dict[str, Any], old: dict[str, Any], new: dict[str, Any]) -> object:
    member = {"user": BOT}
    return read(
        "my_chat_member",
        {
            "chat": chat,
            "from": ANNA,
            "date": AT,
            "old_chat_member": {**member, **old},
            "new_chat_member": {**member, **new},
        },
    )


@each_row(
    ("chat", "old", "new", "change"),
    [
        (PRIVATE, {"status": "member"}, {"status": "kicked", "until_date": 0}, "blocked"),
        (PRIVATE, {"status": "kicked", "until_date": 0}, {"status": "member"}, "unblocked"),
        (GROUP, {"status": "left"}, {"status": "member"}, "added"),
        (SUPERGROUP, {"status": "left"}, {"status": "administrator"}, "added"),
        (SUPERGROUP, {"status": "kicked"}, {"status": "restricted", "is_member": True}, "added"),
        (GROUP, {"status": "member"}, {"status": "left"}, "removed"),
        (GROUP, {"status": "administrator"}, {"status": "kicked", "until_date": 0}, "removed"),
        (
            SUPERGROUP,
            {"status": "restricted", "is_member": True},
            {"status": "restricted", "is_member": False},
            "removed",
        ),
        (CHANNEL, {"status": "left"}, {"status": "administrator"}, "added"),
        (GROUP, {"status": "member"}, {"status": "administrator"}, "changed"),
        (SUPERGROUP, {"status": "member"}, {"status": "restricted", "is_member": True}, "changed"),
        (SUPERGROUP, {"status": "kicked"}, {"status": "left"}, None),
    ],
)
def test_where_the_bot_may_write_from_now_on(
    chat: dict[str, Any], old: dict[str, Any], new: dict[str, Any], change: str | None
) -> None:
    answer = membership(chat, old, new)
    if change is None:
        assert answer == Unreadable(9, "unused-kind", "my_chat_member")
    else:
        assert isinstance(answer, Joined)
        assert (answer.change, answer.chat_id, answer.user_id, answer.migrated_to) == (
            change,
            chat["id"],
            ANNA["id"],
            None,
        )


def test_a_group_that_moves_says_where_to() -> None:
    answer = read("message", message(chat=GROUP, text=None, migrate_to_chat_id=-1002001))
    assert isinstance(answer, Joined)
    assert (answer.change, answer.chat_id, answer.migrated_to, answer.chat_title) == (
        "migrated",
        -4001,
        -1002001,
        "Heron",
    )


SERVICE = [
    *("new_chat_members", "left_chat_member", "new_chat_title", "new_chat_photo"),
    *("delete_chat_photo", "group_chat_created", "pinned_message"),
    *("message_auto_delete_timer_changed", "migrate_from_chat_id", "successful_payment"),
    *("users_shared", "chat_shared", "connected_website", "write_access_allowed"),
    *("forum_topic_created", "video_chat_started", "web_app_data", "giveaway", "boost_added"),
    "proximity_alert_triggered",
]


@each_row("service", SERVICE)
def test_what_a_chat_says_of_itself_is_nobody_s_word(service: str) -> None:
    assert read("message", message(chat=GROUP, text=None, **{service: 1})) == Unreadable(
        9, "service"
    )


UNUSED = [
    *("inline_query", "chosen_inline_result", "shipping_query", "pre_checkout_query", "poll"),
    *("poll_answer", "chat_member", "chat_join_request", "chat_boost", "removed_chat_boost"),
    *("message_reaction", "message_reaction_count", "business_connection", "business_message"),
    *("edited_business_message", "deleted_business_messages", "purchased_paid_media"),
    *("managed_bot", "guest_message", "a_kind_of_2031"),
]


@each_row("kind", UNUSED)
def test_no_other_kind_of_update_is_ever_a_message(kind: str) -> None:
    assert read(kind, message()) == Unreadable(9, "unused-kind", kind)


@each_row(
    ("raw", "answer"),
    [
        (b"", Unreadable(None, "not-json")),
        (b"{", Unreadable(None, "not-json")),
        (b"[" * 100_000, Unreadable(None, "not-json")),
        (b'{"update_id": ' + b"9" * 5000 + b"}", Unreadable(None, "not-json")),
        (b"[]", Unreadable(None, "not-an-update")),
        (b'{"update_id": true}', Unreadable(None, "not-an-update")),
        (b'{"update_id": 9223372036854775808}', Unreadable(None, "not-an-update")),
        (b'{"update_id": 9}', Unreadable(9, "not-an-update")),
        (b'{"update_id": 9, "message": {}, "callback_query": {}}', Unreadable(9, "not-an-update")),
        (b'{"update_id": 9, "message": 1}', Unreadable(9, "bent", "message")),
        (b'{"update_id": 9, "message": {}}', Unreadable(9, "bent", "chat")),
        (b" " * MAX_UPDATE_OCTETS + b"{}", Unreadable(None, "too-big")),
    ],
)
def test_broken_updates_are_told_apart(raw: bytes, answer: Unreadable) -> None:
    assert read_update(raw) == answer


@each_row(
    "changes",
    [
        {"message_id": "12"},
        {"date": "yesterday"},
        {"date": -1},
        {"date": 2**40},
        {"date": True},
        {"chat": {"id": 1, "type": "sender"}},
        {"chat": {"id": "1", "type": "private"}},
        {"from": "Anna"},
        {"from": {"id": "5", "is_bot": False}},
        {"from": {"id": 2**63, "is_bot": False}},
        {"text": 7},
        {"text": "x" * 4097},
        {"reply_to_message": 7},
        {"message_thread_id": "3"},
    ],
)
def test_a_message_with_a_bent_field_is_not_read(changes: dict[str, Any]) -> None:
    answer = read("message", message(**changes))
    assert isinstance(answer, Unreadable)
    assert answer.why == "bent"


def test_texts_and_names_come_clean() -> None:
    raw = json.dumps({"update_id": 9, "message": message(text="a\r\nb\rc\x00d\x1be\tf")}).encode()
    raw = raw.replace(b"Anna", b"\\ud83d  An\\u202ena \\u0000\\n" + b"x" * 100)
    answer = read_update(raw)
    assert isinstance(answer, Said)
    assert answer.text == "a\nb\ncde\tf"
    assert answer.user_name.startswith("\N{REPLACEMENT CHARACTER} Anna xxx")
    assert len(answer.user_name) == 64


def test_half_a_character_in_a_text_is_replaced() -> None:
    answer = read_update(json.dumps({"update_id": 9, "message": message(text="a\ud83d")}).encode())
    assert isinstance(answer, Said)
    assert answer.text == "a\N{REPLACEMENT CHARACTER}"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = [
    *("message_id", "date", "chat", "from", "text", "caption", "photo", "edit_date"),
    *("reply_to_message", "migrate_to_chat_id", "data", "id", "message", "old_chat_member"),
    *("new_chat_member", "sender_chat", "via_bot", "forward_origin", "message_thread_id"),
]
GOOD: list[Any] = [
    ANNA,
    PRIVATE,
    GROUP,
    CHANNEL,
    message(),
    AT,
    7,
    "x",
    {"status": "member"},
    {"status": "kicked"},
]
KINDS = ["message", "edited_message", "channel_post", "callback_query", "my_chat_member", "poll"]


@given(
    json_values | st.dictionaries(st.sampled_from(["update_id", *KINDS]), json_values, max_size=3)
)
def test_no_json_whatever_raises(value: object) -> None:
    assert isinstance(read_update(json.dumps(value).encode()), Said | Tapped | Joined | Unreadable)


@given(
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(KEYS), st.sampled_from(GOOD) | json_values, max_size=10),
)
def test_no_mixture_of_fields_raises_and_nothing_read_can_break_a_file(
    kind: str, fields: dict[str, Any]
) -> None:
    answer = read(
        kind, {"message_id": 1, "date": AT, "chat": PRIVATE, "from": ANNA, "text": "x", **fields}
    )
    assert isinstance(answer, Said | Tapped | Joined | Unreadable)
    repr(answer).encode()
    if isinstance(answer, Said):
        f"{answer.text}{answer.user_name}".encode()
        assert answer.user_id is not None or answer.sent_for_others is not None


@given(st.binary(max_size=200))
def test_no_bytes_whatever_raise(raw: bytes) -> None:
    assert isinstance(read_update(raw), Said | Tapped | Joined | Unreadable)

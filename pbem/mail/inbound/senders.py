"""Who wrote a mail, as far as its header can be believed.

The From field is read by a grammar much narrower than RFC 5322's: exactly one field, one address,
plain ASCII, no group, no route, no comment inside the address. Anything that two programs could
read in two ways is refused: one of the two checked DMARC.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import authres

from pbem.mail.inbound.message import DmarcVerdict, Headers, decode_words

_ATEXT = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_SPEC = rf"{_ATEXT}{{1,64}}(?:\.{_ATEXT}{{1,64}})*@{_LABEL}(?:\.{_LABEL})*"
_ADDRESS = re.compile(_SPEC)
_QUOTED = r'"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\["\\ ])*"'
_COMMENT = r"\((?:[^()\\<>@,;:\"\x00-\x08\x0a-\x1f\x7f])*\)"
_BARE = r"[^\"()<>@,;:\\\x00-\x08\x0a-\x1f\x7f]+"
_FROM = re.compile(
    rf"\s*+(?P<name>(?>(?:{_QUOTED}|{_COMMENT}|{_BARE})*))<(?P<angle>{_SPEC})>\s*+(?P<tail>{_COMMENT})?\s*+"
)
_FROM_PLAIN = re.compile(rf"\s*+(?P<bare>{_SPEC})\s*+(?P<note>{_COMMENT})?\s*+")
_CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_ADDRESS_ANYWHERE = re.compile(rf"(?<![A-Za-z0-9!#$%&'*+/=?^_`{{|}}~.@-]){_SPEC}(?![A-Za-z0-9@])")
_MAX_FROM_CHARS = 1000
_MAX_RESULTS_CHARS = 4096
_COMMENTS = re.compile(r"\([^()]{0,400}\)")
_FAILED = re.compile(r"\bdmarc\s*=\s*fail\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"\bheader\.from\s*=\s*\"?(?:[^\s;@\"]{0,200}@)?([A-Za-z0-9.-]{1,255})", re.IGNORECASE
)
_VERDICTS: dict[str, DmarcVerdict] = {"pass": "pass", "fail": "fail"}


@dataclass(frozen=True, slots=True)
class Sender:
    """`address` is in lower case, None when the mail has no address that can be trusted to be the
    one meant; `refused` says why.
    """

    address: str | None
    name: str
    refused: str | None


def read_sender(headers: Headers, *, malformed: bool = False) -> Sender:
    """The one address in the one From field, or the reason why there is none.

    In a `malformed` header (a line that is no field) another reader may have found another From
    field than ours.
    """
    fields = headers.all("from")
    if not fields:
        return Sender(None, "", "no-sender")
    if len(fields) > 1:
        return Sender(None, "", "several-senders")
    if malformed:
        return Sender(None, "", "malformed-header")
    return _read_from(fields[0])


def _read_from(value: str) -> Sender:
    refused = _suspicious(value)
    if refused:
        return Sender(None, "", refused)
    plain = _FROM_PLAIN.fullmatch(value)
    named = None if plain else _FROM.fullmatch(value)
    if plain:
        address, raw_name = plain["bare"], (plain["note"] or "")[1:-1]
    elif named:
        address, raw_name = named["angle"], named["name"].strip()
    else:
        return Sender(None, "", _why_not(value))
    name = decode_words(_unquoted(raw_name))
    if "=?" in address or not _name_is_honest(raw_name, name, address):
        return Sender(None, "", "sender-encoded")
    if len(address) > 254 or len(address.partition("@")[0]) > 64:
        return Sender(None, "", "sender-unclear")
    return Sender(address.lower(), _INVISIBLE.sub("", name)[:200], None)


def _suspicious(value: str) -> str | None:
    if not value.strip():
        return "no-sender"
    if len(value) > _MAX_FROM_CHARS:
        return "sender-unclear"
    if _CONTROLS.search(value):
        return "sender-control-characters"
    return None


def _why_not(value: str) -> str:
    outside = re.sub(_QUOTED, "", value)
    if ":" in outside and (";" in outside or "@" not in outside.partition(":")[0]):
        return "sender-group"
    if "," in outside or value.count("<") > 1 or len(_ADDRESS_ANYWHERE.findall(outside)) > 1:
        return "several-addresses"
    if "=?" in value and "@" not in re.sub(r"=\?[^?]*\?[^?]*\?[^?]*\?=", "", outside):
        return "sender-encoded"
    if not value.isascii() and "@" in outside and not outside[outside.rfind("<") + 1 :].isascii():
        return "sender-not-ascii"
    return "sender-unclear"


def _name_is_honest(raw_name: str, name: str, address: str) -> bool:
    """An encoded name must not smuggle in a second address or a bracket that another reader would
    take for the real one.
    """
    if "=?" not in raw_name:
        return True
    if "<" in name or ">" in name or _CONTROLS.search(name):
        return False
    return "@" not in name or name.strip("'\" ").lower() == address.lower()


def _unquoted(name: str) -> str:
    if name.startswith('"') and name.endswith('"') and len(name) > 1:
        return re.sub(r"\\(.)", r"\1", name[1:-1])
    return name


def is_address(text: str) -> bool:
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def without_detail(address: str) -> str:
    """An address without what stands behind a `+`."""
    local, _, host = address.partition("@")
    return f"{local.partition('+')[0]}@{host}"


def addresses_in(values: Iterable[str], limit: int = 100) -> tuple[str, ...]:
    """Every address that occurs in these fields, in lower case and order, each once; for looking
    at, never for trusting.
    """
    found: dict[str, None] = {}
    for value in values:
        for match in _ADDRESS_ANYWHERE.finditer(value):
            found.setdefault(match.group().lower().lstrip("'"))
            if len(found) >= limit:
                return tuple(found)
    return tuple(found)


def read_dmarc(headers: Headers, authserv_id: str | None, sender: str | None) -> DmarcVerdict:
    """What our own mail server found out about the From domain (RFC 8601, RFC 7489).

    Only the topmost Authentication-Results field that bears our configured authserv-id counts: our
    server puts its own on top, so that any below it came with the mail. Without a configured id, or
    without a sender, nothing is known. What it found about another domain than the one we read is a
    failure: it has read another sender.
    """
    if not authserv_id or sender is None:
        return "unknown"
    for value in headers.all("authentication-results"):
        if _serv_id(value) == authserv_id.lower():
            return _verdict(value, sender.partition("@")[2])
    return "unknown"


def _serv_id(value: str) -> str:
    """The authserv-id without parsing the rest, so that a malformed topmost field of ours still
    hides those below.
    """
    match = re.match(r"\s*(?:\([^()]{0,200}\)\s*)?\"?([A-Za-z0-9._-]{1,255})\"?(?=[\s;]|$)", value)
    return match.group(1).lower() if match else ""


def _verdict(value: str, domain: str) -> DmarcVerdict:
    if len(value) > _MAX_RESULTS_CHARS:
        return "unknown"
    try:
        results = authres.all_features().parse_value(value).results
    except (
        authres.AuthResError,
        ValueError,
        TypeError,
        AttributeError,
        LookupError,
        RecursionError,
    ):
        return _unparsed_verdict(value, domain)
    verdicts = {
        _one_verdict(result, domain)
        for result in results or ()
        if str(getattr(result, "method", "")).lower() == "dmarc"
    }
    if "fail" in verdicts:
        return "fail"
    return "pass" if verdicts == {"pass"} else "unknown"


def _one_verdict(result: object, domain: str) -> DmarcVerdict:
    verdict = _VERDICTS.get(str(getattr(result, "result", "")).lower(), "unknown")
    about = getattr(result, "header_from", None)
    if (
        about is None
    ):  # a pass of nobody knows whom: another reader of the header may have found another sender
        return "fail" if verdict == "fail" else "unknown"
    about = str(about).rpartition("@")[2].lower().strip(".")
    if about == domain.lower() or verdict == "fail":
        return verdict
    return "unknown" if domain.lower().endswith(f".{about}") else "fail"


def _unparsed_verdict(value: str, domain: str) -> DmarcVerdict:
    """A broken field of ours (a line of the mail may have been taken for its continuation) is never
    a pass.
    """
    text = _COMMENTS.sub(" ", value)
    about = {found.lower().strip(".") for found in _ABOUT.findall(text)}
    if _FAILED.search(text) or any(
        name != domain.lower() and not domain.lower().endswith(f".{name}") for name in about
    ):
        return "fail"
    return "unknown"

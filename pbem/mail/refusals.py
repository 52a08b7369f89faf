"""What another server's refusal means for an address: there is nobody, or something stands in the
way that may go away.

A status code alone does not tell (RFC 3463): many servers say `5.0.0` or `5.7.1` of an unknown
user, and `5.1.1` of a full mailbox. The words decide where there are any, those of a passing
trouble before those of an address that is gone: a letter tried once more harms nobody, a player who
is cut off loses the game.
"""

import re
from typing import Literal

Finality = Literal["hard", "soft"]
"""`hard`: nobody is reached at this address, now or later. `soft`: everything else that failed."""

_MAX_CHARS = 4096
_GONE_STATUS = re.compile(r"(?<![\d.])5\.1\.(?:1|2|3|6|10)(?![\d.])")
_PASSING_STATUS = re.compile(
    r"(?<![\d.])(?:4\.\d{1,3}\.\d{1,3}|5\.(?:1\.[789]|2\.[23]|3\.4))(?![\d.])"
)
_PASSING = re.compile(
    r"(?<!\w)(?:full|over ?quota|quota|storage|space|exceed(?:s|ed|ing)?|too"
    r" (?:large|big|long|many|much|busy|fast)|size|limits?|rate"
    r"|throttl\w*|spam\w*|junk|unsolicited|virus\w*|malware|phishing|block(?:ed|ing|list\w*)?|black"
    r" ?list\w*|deny ?list\w*|banned"
    r"|reputation|rbl|dnsbl|polic(?:y|ies)|authenticat\w*|auth|spf|dkim|dmarc|ptr|reverse|tls|relay\w*|senders?|mail"
    r" from|mailfrom"
    r"|helo|ehlo|client host|gr[ae]y ?list\w*|temporar\w*|try(?:ing)? (?:again|later)|later|timed?"
    r" ?out|expired?|connect(?:ion)?"
    r"|unreachable|disabled|inactive|suspend\w*|locked|deactivat\w*|frozen|restrict\w*|permission|privilege\w*"
    r"|not"
    r" (?:allowed|permitted|authori[sz]ed)|denied|prohibited|"
    r"filter\w*|content|attachments?|loop\w*|hops?|syntax|local"
    r" error"
    r"|internal|configuration|misconfigur\w*)(?!\w)",
    re.IGNORECASE,
)
_WHO = (
    r"(?:users?|recipients?|accounts?|mail ?box(?:es)?|address(?:es)?|e-?mail(?:"
    r" address)?|customers?|subscribers?|hosts?|domains?|names?)"
)
_GONE = re.compile(
    r"(?<!\w)(?:unknown|invalid|unrout(?:e)?able|unresolvable|non-?existent|bad destination|no"
    r" such|no) "
    rf"(?:\w+ ){{0,2}}?{_WHO}"
    rf"|(?<!\w){_WHO}(?:[ :][^\s:]++){{0,6}}? (?:unknown|invalid|not found|not known|not"
    r" valid|unavailable|non-?existent)"
    rf"|(?<!\w){_WHO}(?:[ :][^\s:]++){{0,6}}? (?:does|do|did|could)(?: not|n't) (?:\w+"
    r" )?(?:exist|found|resolved)"
    r"|(?<!\w)(?:isn't|is not|not) (?:a )?(?:known|valid|our)"
    r" (?:user|recipient|customer|mailbox|address|account)"
    r"|(?<!\w)(?:doesn't|does not|didn't) have an? (?:[\w.-]+ ){0,3}?(?:account|mailbox)|no mailbox"
    r" here|user not local|host not found"
    r"|(?:couldn't|could not) find (?:a|any) (?:host|mail exchanger)|no mx (?:record|host)|null"
    r" ?mx|(?:user|recipient) not exist"
    r"|(?:has|have) moved|moved permanently|no longer (?:at|with|in"
    r" use|valid|exists?|works?|active|used)"
    r"|(?:address|mailbox) (?:has|was) (?:been )?(?:changed|removed|deleted|closed)|nobody here",
    re.IGNORECASE,
)
_ADDRESSES = re.compile(r"<?[^\s<>]{1,120}@[^\s<>]{1,255}>?")
_COMMAND = re.compile(
    r"^[\w-]+; ?|\(?in reply to (?:the )?(?:end of )?(?:RCPT TO|DATA|HELO|EHLO)(?: command)?\)?",
    re.IGNORECASE,
)


def finality(status: str, text: str) -> Finality:
    """How final a permanent refusal is, by its enhanced status (may be empty) and the server's own
    words.
    """
    # An address may be called `full@` or lie at `spam.example`: what it is called says nothing.
    words = " ".join(_COMMAND.sub(" ", _ADDRESSES.sub(" @ ", text[:_MAX_CHARS])).split())
    if _PASSING.search(words) or _PASSING_STATUS.search(status) or _PASSING_STATUS.search(words):
        return "soft"
    gone = _GONE_STATUS.search(status) or _GONE_STATUS.search(words) or _GONE.search(words)
    return "hard" if gone else "soft"

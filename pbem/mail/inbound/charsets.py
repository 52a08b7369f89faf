"""Bytes of a stranger into text.

Only the character sets on this list are ever handed to Python's codecs: the registry also knows
transformations such as `utf-7`, `unicode_escape`, `idna` and `hex`, which would let a sender write
text that no mail client shows. Whatever is not on the list is read as UTF-8 and, where it is not
that, as Windows-1252.
"""

import re

_CODECS = {
    "utf-8": "utf-8 utf8 utf-8-sig unicode-1-1-utf-8",
    "utf-16": "utf-16 utf16 unicode",
    "utf-16-le": "utf-16le utf-16-le",
    "utf-16-be": "utf-16be utf-16-be",
    "cp1252": (
        "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso-8859-1-windows-3.1-latin-1 latin1"
        " latin-1 l1"
    ),
    "iso-8859-2": "iso-8859-2 iso8859-2 latin2 latin-2",
    "iso-8859-3": "iso-8859-3 latin3",
    "iso-8859-4": "iso-8859-4 latin4",
    "iso-8859-5": "iso-8859-5 cyrillic",
    "iso-8859-6": "iso-8859-6 iso-8859-6-i iso-8859-6-e arabic",
    "iso-8859-7": "iso-8859-7 greek",
    "iso-8859-8": "iso-8859-8 iso-8859-8-i iso-8859-8-e hebrew",
    "iso-8859-9": "iso-8859-9 latin5",
    "iso-8859-10": "iso-8859-10 latin6",
    "iso-8859-13": "iso-8859-13",
    "iso-8859-14": "iso-8859-14",
    "iso-8859-15": "iso-8859-15 iso8859-15 latin9 latin-9",
    "iso-8859-16": "iso-8859-16",
    "cp1250": "windows-1250 cp1250 x-cp1250",
    "cp1251": "windows-1251 cp1251 x-cp1251 win-1251",
    "cp1253": "windows-1253 cp1253",
    "cp1254": "windows-1254 cp1254",
    "cp1255": "windows-1255 cp1255",
    "cp1256": "windows-1256 cp1256",
    "cp1257": "windows-1257 cp1257",
    "cp1258": "windows-1258 cp1258",
    "cp874": "windows-874 cp874 tis-620 tis620 iso-8859-11",
    "cp437": "cp437 ibm437",
    "cp850": "cp850 cp-850 ibm850",
    "cp852": "cp852 ibm852",
    "cp866": "cp866 ibm866",
    "koi8-r": "koi8-r koi8r koi8",
    "koi8-u": "koi8-u koi8u koi8-ru",
    "mac-roman": "macintosh mac-roman x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic",
    "gb18030": "gb18030 gb2312 gbk cp936 x-gbk gb-2312 gb_2312-80 euc-cn",
    "big5hkscs": "big5 big5-hkscs cp950 x-x-big5",
    "cp932": "shift_jis shift-jis sjis x-sjis windows-31j cp932 ms_kanji",
    "euc-jp": "euc-jp eucjp x-euc-jp",
    "iso2022_jp_2": "iso-2022-jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-ms cp50220 cp50221",
    "cp949": "euc-kr euckr ks_c_5601-1987 ks_c_5601-1989 ksc5601 cp949 uhc windows-949",
    "iso2022_kr": "iso-2022-kr",
}
WIDE_CODECS = frozenset({"utf-16", "utf-16-le", "utf-16-be", "iso2022_jp_2", "iso2022_kr"})
"""Where bytes of the control characters are halves of others."""
_ALIASES = {alias: codec for codec, aliases in _CODECS.items() for alias in aliases.split()}
_UTF_7 = re.compile(
    r"(?:x-)?(?:cs)?(?:utf-?7(?:-imap)?|unicode-?(?:1-1|2-0)-?utf-?7|unicode11utf7)"
)
_CONTROL_BYTES = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_FEW_CONTROLS = 40
_REPLACEMENT = "\ufffd"
_UNWANTED = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]")


def codec_of(charset: str | None) -> str | None:
    """The codec a declared charset stands for; None when it is missing, unknown or not allowed."""
    if charset is None or len(charset) > 60:
        return None
    return _ALIASES.get(charset.strip().strip("\"'").lower())


def is_never_read(charset: str | None) -> bool:
    """UTF-7: letters hidden behind letters, which no program writes in a mail any more and most
    show as they stand.
    """
    return charset is not None and bool(_UTF_7.fullmatch(charset.strip().strip("\"'").lower()))


def is_text(data: bytes) -> bool:
    """Whether these bytes are more than a file that calls itself text; of bytes without order every
    tenth is a control character.
    """
    controls = len(_CONTROL_BYTES.findall(data))
    return controls < _FEW_CONTROLS or controls * 50 < len(data)


def decode(data: bytes, charset: str | None) -> str:
    """The text these bytes stand for; never raises, and no control characters but TAB, LF, CR, FF
    and NEL are left.
    """
    return _UNWANTED.sub("", _decode(data, codec_of(charset)))


def _decode(data: bytes, codec: str | None) -> str:
    if codec is not None and codec != "utf-8":
        return data.decode(codec, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    western = data.decode("cp1252", errors="replace")
    if codec is None:
        return western
    # Declared UTF-8 with a scratch in it stays UTF-8; mere Latin-1 under a false label does not.
    scratched = data.decode("utf-8", errors="replace")
    broken = scratched.count(_REPLACEMENT)
    sound = sum(not char.isascii() for char in scratched) - broken
    return scratched if sound > broken else western

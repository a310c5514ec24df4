"""Texts that came from elsewhere, made fit to be shown: nothing that steers a terminal, and no password."""

import re

_SECRETS = (
    # All up to the last @ of the text: a password may hold one itself, and whatever else cannot be in an address.
    (re.compile(r"(://[^:@/]*:).*@", re.DOTALL), r"\1***@"),
    (re.compile(r"""([?&;][^=&?'"\s]*(?:pass|secret|token)[^=&?'"\s]*=)[^&'"]*""", re.IGNORECASE), r"\1***"),
)


def without_password(text: str) -> str:
    """The text without the passwords of the addresses in it; rather more of it is left out than too little.

    >>> without_password("'postgresql://me:p@ss word@host/db?sslpassword=key' cannot be read")
    "'postgresql://me:***@host/db?sslpassword=***' cannot be read"
    """
    if "://" in text:
        for secret, masked in _SECRETS:
            text = secret.sub(masked, text)
    return text


def shown(text: str, keep: str = "") -> str:
    r"""The text with control characters, and halves of characters, written as Python writes them; but for those in `keep`.

    >>> print(shown("a\x1b[31m red\n\ud800"))
    a\x1b[31m red\n\ud800
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep or _is_space(c) else _escaped(c) for c in text)


def _is_space(character: str) -> bool:
    import unicodedata  # only odd texts need it

    return unicodedata.category(character) == "Zs"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()

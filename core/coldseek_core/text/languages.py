"""Which Snowball stemmer serves a language tag, and where an apostrophe ends a word."""

import Stemmer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Snowball algorithms by the primary subtag of a language (BCP 47).
ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali",
    "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip

# Elided articles and pronouns (l'eau, dell'acqua) are words of their own there.
_ELIDING = frozenset(("ca", "fr", "it"))


def primary_subtag(language: str) -> str:
    return language.replace("_", "-").split("-")[0].lower()


def stemmer_name(language: str) -> str:
    """Algorithm and version (major, minor) of the stemmer that serves a language tag, "none" where there is none.

    It goes into the index's settings: another version of Snowball may stem in another way.
    """
    algorithm = ALGORITHMS.get(primary_subtag(language))
    if algorithm is None or algorithm not in Stemmer.algorithms():
        return "none"
    return f"snowball {'.'.join(Stemmer.version().split('.')[:2])} {algorithm}"


def stemmer_of(language: str) -> "Callable[[list[str]], list[str]] | None":
    """Stems words by Snowball, or None where the language tag has no stemmer (Chinese, Japanese, "none", ...)."""
    if stemmer_name(language) == "none":
        return None
    # Nothing is kept: callers stem each distinct word once.
    return Stemmer.Stemmer(ALGORITHMS[primary_subtag(language)], 0).stemWords


def apostrophe_breaks_words(language: str) -> bool:
    return primary_subtag(language) in _ELIDING

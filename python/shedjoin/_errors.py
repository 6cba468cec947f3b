"""The errors that are found before Spark's JVM is asked."""

from __future__ import annotations


class ShedJoinError(Exception):
    """An error that a user can mend, with a stable id; errors of the JVM come as PySpark's AnalysisException."""

    def __init__(self, error_id: str, text: str) -> None:
        super().__init__(f"[{error_id}] {text}")
        self.id = error_id


MEND = "spark.stop(); spark = shedjoin.configure(SparkSession.builder).getOrCreate()"


def not_loaded(reason: str, mend: str = f"Run: {MEND}") -> ShedJoinError:
    """The session would run Spark's own join, uncapped."""
    return ShedJoinError("SHEDJOIN_NOT_LOADED", f"{reason} {mend}")


def invalid(argument: str, given: object, allowed: str, of: str = "shedjoin.join") -> ShedJoinError:
    """An argument that means nothing."""
    text = f"The argument {argument} of {of} is {given!r}; allowed is {allowed}. Correct it."
    return ShedJoinError("SHEDJOIN_INVALID_OPTION", text)


def needs_jvm(what: str, instead: str) -> ShedJoinError:
    """Spark Connect has no JVM at this end."""
    return ShedJoinError(
        "SHEDJOIN_NEEDS_JVM", f"{what} needs Spark's JVM, which Spark Connect does not give. {instead}"
    )

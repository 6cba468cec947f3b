"""The jar: where it is, and which Spark it is for."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pyspark

from shedjoin._errors import ShedJoinError, not_loaded

OVERRIDE = "SHEDJOIN_JAR"
TESTED = ("4.2.0", "4.2.1")
"""The releases of Spark that the tests run on: those of the JVM on the first, against which the jar is built; those of
Python on the last, which is what pip installs."""
_NAME = re.compile(r"shedjoin_spark-(?P<spark>\d+\.\d+)_(?P<scala>\d+\.\d+)-(?P<version>.+)\.jar")


@dataclass(frozen=True)
class Jar:
    """A jar of shedjoin, and what its name says."""

    path: Path
    spark: str
    scala: str
    version: str


def parsed(path: Path) -> Jar | None:
    """The jar at a path, if it is named as one of ours."""
    match = _NAME.fullmatch(path.name)
    return Jar(path, **match.groupdict()) if match else None


def minor(version: str) -> str:
    """The first two numbers of a version."""
    return ".".join(version.split(".")[:2])


def bundled() -> list[Jar]:
    """The jars that the wheel carries."""
    found = (parsed(path) for path in sorted((Path(__file__).parent / "jars").glob("*.jar")))
    return [jar for jar in found if jar]


def find() -> Jar:
    """The jar for the pyspark that runs; the environment variable SHEDJOIN_JAR goes before the bundled ones."""
    override = os.environ.get(OVERRIDE)
    jars = _overriding(Path(override)) if override else bundled()
    running = minor(pyspark.__version__)
    for jar in jars:
        if jar.spark == running:
            return jar
    have = ", ".join(f"{jar.path.name} for Spark {jar.spark}" for jar in jars) or "no jar"
    wanted = sorted({jar.spark for jar in jars})
    mend = f'Run: pip install "pyspark=={wanted[-1]}.*"' if wanted else "Run: pip install --force-reinstall shedjoin"
    raise not_loaded(f"pyspark is {pyspark.__version__}, but shedjoin has {have}.", mend)


def _overriding(path: Path) -> list[Jar]:
    jar = parsed(path) if path.is_file() else None
    if jar is None:
        raise ShedJoinError(
            "SHEDJOIN_NOT_LOADED",
            f"The environment variable {OVERRIDE} is {path}, which is no file named "
            "shedjoin_spark-<Spark>_<Scala>-<version>.jar. Correct or unset it.",
        )
    return [jar]

"""Files that are written as a whole or not at all."""

from __future__ import annotations

from pathlib import Path


def write(file: Path, content: bytes) -> None:
    """Leaves what was there, and nothing else, where it does not come to its end."""
    begun = file.with_name(f".{file.name}.begun")
    try:
        begun.write_bytes(content)
        begun.replace(file)
    finally:
        begun.unlink(missing_ok=True)

#!/usr/bin/env python3
"""Counts what a reader of the source code has to hold: lines, crates, and what stands more than once.

Prints one figure per line, or with `--json` an object. Run it from the repository's root; `git stash` or a worktree gives the
figures of another commit. Only files that git knows count.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

CRATE_FOLDERS = ("shared", "functions", "infra")
MAX_COMMENT_WIDTH = 110
# What reads as a plausible value where a conversion cannot fail, or must not.
FALLBACK = re.compile(r"unwrap_or\((?:[\w:]*::)?(?:MAX|MIN|ZERO|EPOCH)\b|unwrap_or_default\(\)|unwrap_or\(0\)")
COMMENT = re.compile(r"^\s*//")
# The home of a shard's state. A file elsewhere may turn its transitions into updates; no other names the stored lists, builds or changes
# them, or moves a shard's record from state to state.
SHARDS_HOME = Path("shared/domain/src/check/shards.rs")
SHARDS_STORED = ("nextShard", "shardsLeft", "publishedAt", "ready", "published", "working")
SHARDS_FIELDS = "next_shard|shards_left|published_at|ready|published|working"
MOVES_SHARDS = re.compile(
    rf"""\bTransition \{{|#(?:{"|".join(SHARDS_STORED)})\b|"(?:{"|".join(SHARDS_STORED)})"|\b(?:next_shard|shards_left|published_at):"""
    rf"""|\.(?:{SHARDS_FIELDS})(?:\.(?:insert|remove|retain|extend|append|clear|take|pop_first)\(|\s*[-+]?=[^=])"""
)


def rust_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.rs"], check=True, capture_output=True, text=True).stdout
    return [Path(name) for name in listed.splitlines() if Path(name).is_file()]


def is_test_file(path: Path) -> bool:
    """Whether the whole file is compiled for tests alone: tests, benchmarks, fuzz targets, and modules named `tests` or `testing`."""
    parts = path.parts
    return (
        parts[0] not in CRATE_FOLDERS
        or "tests" in parts
        or path.stem in ("tests", "testing", "test_client", "simulation")
        or "testing" in parts
        or "simulation" in parts
    )


def split(text: str) -> tuple[list[str], list[str]]:
    """The lines of a file outside of `#[cfg(test)]` modules, and those inside."""
    product, tests, in_tests = [], [], False
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line == "#[cfg(test)]" and re.match(r"(pub(\(crate\))? )?mod \w+ \{$", lines[at + 1] if at + 1 < len(lines) else ""):
            in_tests = True
        (tests if in_tests else product).append(line)
        if in_tests and line == "}":
            in_tests = False
    return product, tests


def counted() -> dict[str, int]:
    product, tests, comments_too_wide, widest = 0, 0, 0, 0
    fallbacks, moves_shards = 0, 0
    for path in rust_files():
        text = path.read_text()
        outside, inside = split(text)
        if is_test_file(path):
            tests += len(outside) + len(inside)
        else:
            product += len(outside)
            tests += len(inside)
            for line in outside:
                fallbacks += bool(FALLBACK.search(line)) and "//" not in line
            code = "\n".join(line for line in outside if not COMMENT.match(line))
            moves_shards += path != SHARDS_HOME and bool(MOVES_SHARDS.search(code))
        for line in outside + inside:
            widest = max(widest, len(line))
            comments_too_wide += bool(COMMENT.match(line)) and len(line) > MAX_COMMENT_WIDTH
    crates = [path for folder in ("shared", "infra") for path in Path(folder).glob("*/Cargo.toml")]
    return {
        "lines of the product": product,
        "lines of the tests": tests,
        "the widest line": widest,
        f"comment lines over {MAX_COMMENT_WIDTH} columns": comments_too_wide,
        "crates in shared and infra": len(crates),
        "fallbacks without a reason": fallbacks,
        "places that change a shard's state": moves_shards,
    }


def main() -> None:
    figures = counted()
    if sys.argv[1:] == ["--json"]:
        print(json.dumps(figures, indent=1))
    else:
        print("\n".join(f"{figure:>8,}  {name}" for name, figure in figures.items()))


if __name__ == "__main__":
    main()

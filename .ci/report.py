"""Prints the slowest tests, the failed ones, and `N passed, N failed`, from JUnit reports.

Usage: report.py JVM_EXIT PYTHON_EXIT PYTHON_FOLDER JVM_FOLDER...
Fails when a test or a runner failed, or when nothing ran.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SLOWEST = 20


@dataclass(frozen=True)
class Test:
    name: str
    seconds: float
    outcome: str


def outcome(case: ElementTree.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "passed" if case.find("skipped") is None else "skipped"


def tests(folders: list[str]) -> Iterator[Test]:
    for report in sorted(file for folder in folders for file in Path(folder).glob("*.xml")):
        for case in ElementTree.parse(report).iter("testcase"):
            suite = case.get("classname", "").rpartition(".")[2]
            name = re.sub(r" \((with org|without virtual)[^)]*\)", "", case.get("name", ""))
            yield Test(f"{suite}: {name}", float(case.get("time", "0")), outcome(case))


def problems(runners: list[tuple[str, int, list[Test]]]) -> Iterator[str]:
    for runner, code, ran in runners:
        failed = [test for test in ran if test.outcome == "failed"]
        yield from (test.name for test in failed)
        if code and not failed:
            yield f"{runner} ended with exit code {code}, outside of any test: see above"
    if not any(ran for _, _, ran in runners):
        yield "no test ran at all"


def main(jvm_exit: int, python_exit: int, python_folder: str, jvm_folders: list[str]) -> int:
    runners = [("sbt", jvm_exit, list(tests(jvm_folders))), ("pytest", python_exit, list(tests([python_folder])))]
    ran = [test for _, _, of_runner in runners for test in of_runner]
    print(f"\nThe {SLOWEST} slowest tests, in seconds")
    for test in sorted(ran, key=lambda test: -test.seconds)[:SLOWEST]:
        print(f"{test.seconds:8.1f}  {test.name}")
    failed = list(problems(runners))
    if failed:
        print("\nFailed")
        print("\n".join(f"  {problem}" for problem in failed))
    print(f"\n{sum(test.outcome == 'skipped' for test in ran)} skipped")
    print(f"{sum(test.outcome == 'passed' for test in ran)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]))

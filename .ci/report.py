"""Prints the slowest tests, the failed ones, and `N passed, N failed`, from JUnit reports.

Usage: report.py JVM_EXIT PYTHON_EXIT FOLDER... Fails when a test or a runner failed, or when nothing ran.
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


def main(jvm_exit: int, python_exit: int, folders: list[str]) -> int:
    ran = list(tests(folders))
    failed = [test for test in ran if test.outcome == "failed"]
    print(f"\nThe {SLOWEST} slowest tests, in seconds")
    for test in sorted(ran, key=lambda test: -test.seconds)[:SLOWEST]:
        print(f"{test.seconds:8.1f}  {test.name}")
    problems = [f"{test.name}" for test in failed]
    if not ran:
        problems.append("no test ran at all")
    if jvm_exit and not any(problems):
        problems.append(f"the JVM's tests ended with exit code {jvm_exit}, outside of any test: see above")
    if python_exit and not any(problems):
        problems.append(f"pytest ended with exit code {python_exit}, outside of any test: see above")
    if problems:
        print("\nFailed")
        print("\n".join(f"  {problem}" for problem in problems))
    skipped = sum(test.outcome == "skipped" for test in ran)
    print(f"\n{skipped} skipped, by name and with reason: see above")
    print(f"{sum(test.outcome == 'passed' for test in ran)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))

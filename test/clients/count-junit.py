"""Prints the counts of a JUnit report as one line: N passed, N failed, N skipped."""

import sys
from xml.etree import ElementTree

total = failed = skipped = 0
for suite in ElementTree.parse(sys.argv[1]).getroot().iter("testsuite"):
    total += int(suite.get("tests", 0))
    failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    skipped += int(suite.get("skipped", 0))
print(f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped")

"""Checks that every operation of the document was called successfully. Usage: coverage.py DOCUMENT CALLED [EXCEPT...], where CALLED has a
line with the method and the path of each call that succeeded, and EXCEPT are the ids of operations that cannot succeed here."""

import json
import sys
from pathlib import Path

document = json.loads(Path(sys.argv[1]).read_text())
called = set(Path(sys.argv[2]).read_text().splitlines())
described = {
    f"{method.upper()} {path}": operation["operationId"]
    for path, methods in document["paths"].items()
    for method, operation in methods.items()
}
expected = {call: id for call, id in described.items() if id not in sys.argv[3:]}
never = sorted(id for call, id in expected.items() if call not in called)
unknown = sorted(called - described.keys())
if never or unknown:
    sys.exit(f"never called successfully: {never}; not in the document: {unknown}")
print(f"{len(expected)} of {len(described)} operations")

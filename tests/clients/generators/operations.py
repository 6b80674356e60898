"""Fails unless a generated class has every operation of the document, as a method that its language calls so.

Usage: operations.py DOCUMENT java|go FOLDER
"""

import json
import re
import sys
from pathlib import Path

document, language, folder = sys.argv[1:]
files, method = {
    "java": ("src/main/java/**/api/*Api.java", r"^ +public \S+ (\w+)\("),
    "go": ("api_*.go", r"^func \(a \*\w+APIService\) (\w+)\("),
}[language]

paths = json.loads(Path(document).read_text())["paths"].values()
operations = {operation["operationId"] for methods in paths for operation in methods.values()}
sources = [path.read_text() for path in Path(folder).glob(files)]
found = {name[0].lower() + name[1:] for source in sources for name in re.findall(method, source, re.MULTILINE)}
missing = sorted(operations - found)
if missing or not operations:
    sys.exit(f"{language}: no class has {', '.join(missing)}")
print(f"{language}: {len(operations)} operations in {len(sources)} classes")

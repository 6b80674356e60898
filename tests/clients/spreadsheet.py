"""Opens every CSV table with LibreOffice, and compares what it reads with the JSON response of the same request.

LibreOffice is told to evaluate formulas, so that a text that is one would change. Needs `soffice`.

Usage: spreadsheet.py BASE_URL WRITE_KEY
"""

import csv
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

BASE_URL, KEY = sys.argv[1:]
# Separator, quote, UTF-8, first line; columns as they are; texts as such; no guessed numbers; formulas are evaluated.
READ = "Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,0,true"
# The contents of the cells, not as they are shown, with their formulas.
WRITE = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,true'
FORMULAS = ['=HYPERLINK("https://evil.example","x")', "+1+1", "-2+3", "@SUM(1;2)", "=1+1, \"quoted\"\t"]


def request(path: str, body: Any = None, accept: str = "application/json") -> str:
    headers = {"Authorization": f"Bearer {KEY}", "Accept": accept}
    data = json.dumps(body).encode() if body is not None else None
    with urllib.request.urlopen(urllib.request.Request(BASE_URL + path, data, headers)) as response:
        return str(response.read().decode())


def opened(table: str, folder: Path) -> list[list[str]]:
    """The cells that LibreOffice reads from a table."""
    (folder / "table.csv").write_bytes(table.encode())
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile", f"--infilter={READ}"]
    command += ["--convert-to", WRITE, "--outdir", str(folder / "out"), str(folder / "table.csv")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    with (folder / "out/table.csv").open(newline="") as file:
        return list(csv.reader(file))


def same(read: str, sent: str) -> bool:
    """Whether a cell has the text or the number that was sent."""
    if read == sent or read.lower() == sent:
        return True
    try:
        return float(read) == float(sent)
    except ValueError:
        return False


entities = json.loads(request("/entities"))["data"]
entity = entities[0]["id"]
for name in FORMULAS:
    request("/tags", {"name": name.strip()})
cited = json.loads(request(f"/entities/citations?entityId={entity}"))["data"][0]["entityUuid"]
paths = ["/entities", "/entities/overview", "/tags", "/models", "/workspace/members", "/domain-groups"]
paths += [f"/entities/citations/details?entityId={entity}&citedEntityUuid={cited}"]
of_entity = ["/trends/visibility", "/trends/citations", "/trends/compare", "/entities/citations", "/entities/competitors"]
of_entity += ["/query-fanouts", "/responses", "/entities/prompts", "/entities/actions"]
paths += [f"{path}?entityId={entity}" for path in of_entity]
with tempfile.TemporaryDirectory() as folder:
    for path in paths:
        table = request(path, accept="text/csv")
        sent = list(csv.reader(table.splitlines(keepends=True)))
        read = opened(table, Path(folder))
        assert len(read) == len(sent), (path, len(read), len(sent))
        for sent_row, read_row in zip(sent, read, strict=True):
            for sent_cell, read_cell in zip(sent_row, read_row, strict=True):
                # An apostrophe keeps a text from being a formula.
                assert same(read_cell, sent_cell), (path, sent_cell, read_cell)
                assert not read_cell.startswith("="), (path, read_cell)
        print(f"{path.split('?')[0]}: {len(sent)} rows")

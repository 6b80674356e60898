"""Compares the service with PostgreSQL on the same data: the same answers, and the CPU time of each.

`compare.py SOCKET CSV FIGURES`: the folder of the server's socket, the folder of the benchmark's CSV files, and the benchmark's figures.
"""

import datetime
import json
import statistics
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Any

import psycopg

from questions import QUESTIONS, Question

# The domain of the measured brand.
OWN = "acme.com"
TABLES = {
    "responses": "csv_response (response_id, entity_id, prompt_id, model_uuid, answered_at, mentioned, position)",
    "citations": "csv_citation (response_id, url, domain)",
    "fanouts": "csv_fanout (response_id, query)",
}
STAGING = """
  CREATE UNLOGGED TABLE csv_response (line bigserial, response_id text, entity_id text, prompt_id text, model_uuid text,
    answered_at timestamptz, mentioned boolean, position smallint);
  CREATE UNLOGGED TABLE csv_citation (response_id text, url text, domain text);
  CREATE UNLOGGED TABLE csv_fanout (line bigserial, response_id text, query text)"""
# A statement is repeated in batches of at least this time, and the median of the batches counts.
BATCH_SECONDS = 0.04
BATCHES = 7
# Settings that can be better or worse for a statement. The fastest combination counts.
SETTINGS = [(jit, plan) for jit in ("off", "on") for plan in ("force_generic_plan", "force_custom_plan")]


class Postgres:
    def __init__(self, socket: str) -> None:
        self.connection = psycopg.connect(host=socket, user="postgres", dbname="postgres", autocommit=True)
        self.cpu_file = Path(f"/proc/{self.connection.info.backend_pid}/schedstat")

    def execute(self, statement: str, parameters: dict[str, Any] | None = None) -> psycopg.Cursor:
        return self.connection.execute(statement, parameters)

    def load(self, csv: Path) -> None:
        self.connection.prepare_threshold = None
        self.execute(STAGING)
        for name, table in TABLES.items():
            with (
                (csv / f"{name}.csv").open("rb") as file,
                self.connection.cursor().copy(f"COPY {table} FROM STDIN (FORMAT csv, HEADER)") as copy,
            ):
                while block := file.read(1 << 20):
                    copy.write(block)
        design = (Path(__file__).parent / "design.sql").read_text()
        for statement in design.replace(":own", f"'{OWN}'").split(";\n"):
            self.execute(statement)
        self.execute("VACUUM (FREEZE, ANALYZE)")
        # From here on, each statement is prepared when it runs first.
        self.connection.prepare_threshold = 0

    def ids(self, table: str, uuids: str) -> list[int]:
        wanted = uuids.split(",") if uuids else []
        return [id for (id,) in self.execute(f"SELECT id FROM {table} WHERE uuid = ANY(%s) ORDER BY id", [wanted])]

    def cpu(self) -> int:
        """The CPU time of the server process so far, in nanoseconds. It is exact while the process waits."""
        time.sleep(0.002)
        return int(self.cpu_file.read_text().split()[0])

    def measure(self, statement: str, parameters: dict[str, Any]) -> tuple[float, float]:
        """The median CPU time and the median time of an execution, in milliseconds, with the best settings."""
        best = (float("inf"), float("inf"))
        for jit, plan in SETTINGS:
            self.execute(f"SET jit = {jit}")
            self.execute(f"SET plan_cache_mode = {plan}")
            start = time.perf_counter()
            for _ in range(3):
                self.execute(statement, parameters).fetchall()
            runs = max(1, int(BATCH_SECONDS / ((time.perf_counter() - start) / 3)))
            batches = []
            for _ in range(BATCHES):
                cpu, start = self.cpu(), time.perf_counter()
                for _ in range(runs):
                    self.execute(statement, parameters).fetchall()
                wall = time.perf_counter() - start
                batches.append(((self.cpu() - cpu) / runs / 1e6, wall / runs * 1e3))
            cpu_times, wall_times = zip(*batches)
            best = min(best, (statistics.median(cpu_times), statistics.median(wall_times)))
        return best


def months(first: datetime.date, last: datetime.date) -> dict[str, datetime.date]:
    """The first day of the first complete month of a range, and the day after its last complete one; or two equal days."""
    month = first if first.day == 1 else (first.replace(day=1) + datetime.timedelta(days=32)).replace(day=1)
    end = (last + datetime.timedelta(days=1)).replace(day=1)
    return {"month": month, "end": end} if month < end else {"month": first, "end": first}


def parameters_of(postgres: Postgres, figures: dict[str, Any], cited: str) -> dict[str, Any]:
    query = dict(urllib.parse.parse_qsl(figures["query"]))
    first, last = (datetime.date.fromisoformat(query[name]) for name in ("startDate", "endDate"))
    return {
        "first": first, "last": last, "cited": cited, "pattern": f"%{query.get('search', '')}%",
        "models": postgres.ids("model", query.get("models", "")),
        "prompts": postgres.ids("prompt", query.get("promptIds", "")), **months(first, last),
    }  # fmt: skip


def fastest(postgres: Postgres, question: Question, figures: dict[str, Any], cited: str) -> tuple[float, float, str]:
    """The CPU time, the time and the name of the fastest design that foresees the request. Fails unless each design's answer is the
    service's."""
    parameters = parameters_of(postgres, figures, cited)
    measured = []
    expected = question.of_service(figures["body"])
    for name, statement in (question.filtered if figures["isFiltered"] else question.best).items():
        answer = question.of_postgres(postgres.execute(statement, parameters).fetchall())
        if answer != expected or not answer:
            sys.exit(f"error: {question.name}, {figures['query']}, design {name}: PostgreSQL has\n{answer}\nand the service\n{expected}")
        measured.append((*postgres.measure(statement, parameters), name))
    return min(measured)


def cell(value: float, other: float) -> str:
    """A figure of the service, marked where PostgreSQL is ahead."""
    return f"{value:.2f}{' ✗' if value > other else ''}"


def main() -> None:
    socket, csv, figures_file = sys.argv[1:]
    postgres = Postgres(socket)
    start = time.perf_counter()
    postgres.load(Path(csv))
    size = postgres.execute("SELECT pg_database_size(current_database()) / 1000000").fetchone()
    print(f"PostgreSQL is loaded after {time.perf_counter() - start:.0f} s: {size[0] if size else 0} MB", file=sys.stderr)
    version = postgres.connection.info.server_version // 10000
    lines = [json.loads(line) for line in Path(figures_file).read_text().splitlines()]
    by_request = {(line["days"], line["request"], line["isFiltered"]): line for line in lines}
    behind = []
    for days in dict.fromkeys(line["days"] for line in lines):
        workload = lines[0]["workload"]
        print(f"\n| {workload}, {days} days, CPU ms | PostgreSQL {version}, best design | with the filter | ours, cold | warm | with the filter, cold | warm | PostgreSQL, elapsed ms |")
        print("|---|---|---|---|---|---|---|---|")
        cited = by_request[days, "cited domains", False]["body"]["data"][0]["domain"]
        for question in QUESTIONS:
            ours = [by_request[days, question.request, is_filtered] for is_filtered in (False, True)]
            theirs = [fastest(postgres, question, figures, cited) for figures in ours]
            (best, elapsed, design), (filtered, filtered_elapsed, _) = theirs
            cells = [f"{best:.2f} ({design})", f"{filtered:.2f}"]
            for figures, other in zip(ours, (best, filtered)):
                cells += [cell(figures["coldMs"], other), cell(figures["warmMs"], other)]
                for state in ("cold", "warm"):
                    if figures[f"{state}Ms"] > other:
                        filter_text = " with the filter" if figures["isFiltered"] else ""
                        behind.append(f"{days} days, {question.name}{filter_text}, {state}: {figures[f'{state}Ms'] / other:.1f} times")
            print(f"| {question.name} | {' | '.join(cells)} | {elapsed:.2f} · {filtered_elapsed:.2f} |", flush=True)
    print("\nAll answers are equal. ✗: PostgreSQL takes less CPU time.")
    print("\nThe service is behind in:" if behind else "\nThe service is behind nowhere.")
    for line in behind:
        print(f"- {line}")


if __name__ == "__main__":
    main()

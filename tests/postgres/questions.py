"""The questions, as PostgreSQL is asked them, and what the service's responses say about them.

A question has several designs, of which the fastest counts. Parameters: `first` and `last` are the range; `month` and `end` are the first
day of its first complete month and the day after its last complete one; `cited` is a domain, `pattern` what a search must match; `prompts`
and `models` are the filter.
"""

import datetime
from dataclasses import dataclass, field
from typing import Any, Callable

DAYS = "day BETWEEN %(first)s AND %(last)s"
EDGES = "(day >= %(first)s AND day < %(month)s OR day >= %(end)s AND day <= %(last)s)"
MONTHS = "day >= %(month)s AND day < %(end)s"
CHOSEN = "model = ANY(%(models)s::smallint[]) AND prompt = ANY(%(prompts)s::smallint[])"
Body = dict[str, Any]
Rows = list[tuple[Any, ...]]


@dataclass
class Question:
    name: str
    # The benchmark's name of the request.
    request: str
    # The statements without a filter, by the name of the design.
    best: dict[str, str]
    # The statements with a filter by models and prompts.
    filtered: dict[str, str]
    # What the service's response and PostgreSQL's rows must agree on.
    of_service: Callable[[Body], Any]
    of_postgres: Callable[[Rows], Any] = field(default=lambda rows: rows)


def by_design(template: Callable[[str], str], columns: str, table: str) -> dict[str, str]:
    """The statement on the days, and the one on the months that are completely in the range and the days around them."""
    days, months = f"SELECT {columns} FROM {table}_day WHERE ", f"SELECT {columns} FROM {table}_month WHERE "
    # Two ranges of days, one before and one after the months, so that each is one range of the index.
    before = days + "day >= %(first)s AND day < %(month)s"
    after = days + "day >= %(end)s AND day <= %(last)s"
    return {
        "days": template(days + DAYS),
        "months": template(f"{before} {{and_more}} UNION ALL {months}{MONTHS} {{and_more}} UNION ALL {after}"),
    }


def top(counts: str, key: str, dictionary: str, text: str, limit: int = 20) -> str:
    """Common table expressions: `counted` are all counts, `page` the most frequent ones, of which only those that can be on the page are
    looked up in the dictionary."""
    return f"""
      counted AS MATERIALIZED (SELECT {key}, sum(n) AS n FROM ({counts}) AS c GROUP BY {key}),
      page AS MATERIALIZED (
        SELECT c.{key}, c.n, d.{text} AS text FROM counted AS c JOIN {dictionary} AS d ON d.id = c.{key}
        WHERE c.n >= coalesce((SELECT n FROM counted ORDER BY n DESC OFFSET {limit - 1} LIMIT 1), 0)
        ORDER BY c.n DESC, d.{text} LIMIT {limit})"""


def plain(statement: str, more: str = "") -> str:
    """Adds a condition to each part of a union."""
    if "{and_more}" in statement:
        return statement.replace("{and_more}", more) + " " + more
    return statement + " " + more


def domains(counts: str) -> str:
    return f"WITH {top(plain(counts), 'domain', 'domain', 'domain')} SELECT text, n, (SELECT count(*) FROM counted) FROM page ORDER BY n DESC, text"


def urls(counts: str) -> str:
    of_domain = "AND domain = (SELECT id FROM domain WHERE domain = %(cited)s)"
    return f"""WITH {top(plain(counts, of_domain), 'url', 'url', 'url')}
      SELECT text, n, (SELECT count(*) FROM counted) FROM page ORDER BY n DESC, text"""


def citation_trend(counts: str, daily: str) -> str:
    return f"""WITH {top(plain(counts), 'domain', 'domain', 'domain', 10)}
      SELECT p.text, p.n, t.day, t.n FROM page AS p JOIN LATERAL ({daily}) AS t ON true ORDER BY p.n DESC, p.text, t.day"""


def citation_trend_once(facts: str) -> str:
    """Reads the facts once, and keeps the counts of all domains and days."""
    daily = "SELECT day, n FROM daily WHERE domain = p.domain"
    return citation_trend("SELECT domain, n FROM daily", daily).replace(
        "WITH", f"WITH daily AS MATERIALIZED (SELECT domain, day, count(*) AS n FROM ({facts}) AS f GROUP BY domain, day),", 1
    )


def fanouts(counts: str, details: str, chosen: str) -> str:
    return f"""WITH {top(counts, 'folded', 'folded', 'query')}
      SELECT s.query, p.n, r.responses, r.latest, r.models, (SELECT count(*) FROM counted), (SELECT sum(n) FROM counted)
      FROM page AS p
      CROSS JOIN LATERAL ({details} folded = p.folded AND {DAYS} {chosen}) AS r
      CROSS JOIN LATERAL (SELECT spelling FROM fanout WHERE folded = p.folded AND {DAYS} {chosen}
        GROUP BY spelling ORDER BY count(*) DESC, min(occurrence) LIMIT 1) AS most
      JOIN spelling AS s ON s.id = most.spelling
      ORDER BY p.n DESC, p.text"""


ROLLED_UP = "SELECT sum(responses) AS responses, max(latest) AS latest, bit_or(models) AS models FROM query_day WHERE"
COUNTED = "SELECT count(DISTINCT response) AS responses, max(at) AS latest, bit_or(1 << model) AS models FROM fanout WHERE"
SEARCH = "AND folded IN (SELECT id FROM folded WHERE query LIKE %(pattern)s)"
# Joins from the other side: each query that is found looks for its days.
SEARCH_FIRST = """SELECT c.folded, c.n FROM (SELECT id FROM folded WHERE query LIKE %(pattern)s OFFSET 0) AS f
  CROSS JOIN LATERAL (SELECT folded, n FROM query_day WHERE folded = f.id AND day BETWEEN %(first)s AND %(last)s OFFSET 0) AS c"""


def searched(more: str) -> dict[str, str]:
    statements = by_design(lambda counts: fanouts(plain(counts, more), ROLLED_UP, ""), "folded, n", "query")
    return statements if not more else statements | {"search first": fanouts(SEARCH_FIRST, ROLLED_UP, "")}


def prompt_stats(counts: str, citations: str) -> str:
    return f"""SELECT prompt, sum(responses), sum(mentions), sum(positions), {citations} FROM ({counts}) AS c
      GROUP BY prompt ORDER BY prompt"""


def page_of_prompts(statement: str) -> str:
    return prompt_stats(plain(statement, "AND prompt BETWEEN 1 AND 20"), "sum(citations)")


OWN = """coalesce((SELECT sum(n) FROM own_citation AS o WHERE o.prompt = c.prompt AND o.model = ANY(%(models)s::smallint[])
  AND o.day BETWEEN %(first)s AND %(last)s), 0)"""
# The first 20 prompts of the filter are the page.
CHOSEN_PAGE = "model = ANY(%(models)s::smallint[]) AND prompt = ANY((%(prompts)s::smallint[])[1:20])"


def iso(at: int) -> str:
    moment = datetime.datetime.fromtimestamp(at // 1000, datetime.UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at % 1000:03}Z"


def ranking(key: str, count: str) -> Callable[[Body], Any]:
    return lambda body: [(row[key], row[count], body["pagination"]["total"]) for row in body["data"]]


def trend_of_service(body: Body) -> Any:
    daily = {(entity["domain"], day["day"]): day.get(entity["name"], 0) for entity in body["entities"] for day in body["data"]}
    return [(entity["domain"], entity["totalCitations"]) for entity in body["entities"]], {k: n for k, n in daily.items() if n}


def trend_of_postgres(rows: Rows) -> Any:
    return list(dict.fromkeys((domain, int(n)) for domain, n, _, _ in rows)), {(d, str(day)): n for d, _, day, n in rows}


def fanouts_of_service(body: Body) -> Any:
    rows = [(r["query"], r["frequency"], r["uniqueResponses"], r["latestDate"], len(r["modelIds"])) for r in body["data"]]
    return rows, body["totalCount"], body["totalQueries"]


def fanouts_of_postgres(rows: Rows) -> Any:
    page = [(query, int(n), int(responses), iso(latest), models.bit_count()) for query, n, responses, latest, models, _, _ in rows]
    return page, int(rows[0][5]), int(rows[0][6])


def stats_of_service(body: Body) -> Any:
    stats = [row["stats"] for row in body["data"]]
    return [(s["responses"], s["mentions"], s["averagePosition"], s["citations"]) for s in stats]


def stats_of_postgres(rows: Rows) -> Any:
    average = lambda positions, mentions: int(positions * 100 / mentions + 0.5) / 100 if mentions else None
    return [(int(r), int(m), average(int(p), int(m)), int(c)) for _, r, m, p, c in rows]


def integers(rows: Rows) -> Any:
    return [tuple(value if isinstance(value, str) else int(value) for value in row) for row in rows]


CITED = "SELECT domain, 1 AS n FROM citation WHERE " + DAYS + " AND " + CHOSEN
ASKED = "SELECT folded, 1 AS n FROM fanout WHERE " + DAYS + " AND " + CHOSEN
OF_TOP = f"SELECT day, n FROM domain_day WHERE domain = p.domain AND {DAYS}"
OF_TOP_CHOSEN = f"SELECT day, count(*) AS n FROM citation WHERE domain = p.domain AND {DAYS} AND {CHOSEN} GROUP BY day"

QUESTIONS = [
    Question(
        "visibility trend", "visibility",
        {"days": f"SELECT day, mentions, responses FROM visibility_day WHERE {DAYS} ORDER BY day"},
        {"facts": f"SELECT day, count(*) FILTER (WHERE mentioned), count(*) FROM response WHERE {DAYS} AND {CHOSEN} GROUP BY day ORDER BY day"},
        lambda body: [(row["date"], row["mentions"], row["responses"]) for row in body["data"]],
        lambda rows: [(str(day), mentions, responses) for day, mentions, responses in rows],
    ),
    Question(
        "top cited domains", "cited domains", by_design(domains, "domain, n", "domain"), {"facts": domains(CITED)},
        ranking("domain", "totalCitations"), integers,
    ),
    Question(
        "URLs of one domain", "URLs of the most cited domain", by_design(urls, "url, n", "url"),
        {"facts": urls(f"SELECT url, 1 AS n FROM citation WHERE {DAYS} AND {CHOSEN}")}, ranking("url", "citationCount"), integers,
    ),
    Question(
        "citation trend", "citation trend", by_design(lambda counts: citation_trend(counts, OF_TOP), "domain, n", "domain"),
        {
            "facts": citation_trend(CITED, OF_TOP_CHOSEN),
            "facts once": citation_trend_once(f"SELECT domain, day FROM citation WHERE {DAYS} AND {CHOSEN}"),
        },
        trend_of_service, trend_of_postgres,
    ),
    Question(
        "query fanouts", "query fanouts", searched(""), {"facts": fanouts(ASKED, COUNTED, "AND " + CHOSEN)},
        fanouts_of_service, fanouts_of_postgres,
    ),
    Question(
        "query fanouts, searched", "query fanouts, searched", searched(SEARCH),
        {"facts": fanouts(f"{ASKED} {SEARCH}", COUNTED, "AND " + CHOSEN)}, fanouts_of_service, fanouts_of_postgres,
    ),
    Question(
        "prompt stats, page of 20", "prompts with stats, page of 20",
        by_design(page_of_prompts, "prompt, responses, mentions, positions, citations", "prompt"),
        {"facts": prompt_stats(f"""SELECT prompt, 1 AS responses, mentioned::int AS mentions, coalesce(position, 0) AS positions
          FROM response WHERE {DAYS} AND {CHOSEN_PAGE}""", OWN)},
        stats_of_service, stats_of_postgres,
    ),
]

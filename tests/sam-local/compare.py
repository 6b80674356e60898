"""Compares the API behind `sam local start-api` with the local host's own, on the same table: `compare.py SAM_URL BASE_URL KEY`.

Then it creates an entity whose check the local host takes up, and one whose prompts are generated with the key in the secret.
"""

import json
import re
import sys
import time
import urllib.error
import urllib.request

SAM, HOST, KEY = sys.argv[1], sys.argv[2].removesuffix("/v1"), sys.argv[3]
# Headers that a gateway adds or changes, or that differ from one request to the next.
VARYING = {
    "apigw-requestid", "connection", "content-encoding", "date", "keep-alive", "ratelimit", "server", "transfer-encoding", "vary", "x-request-id",
}
LEAST = 50
MCP = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def fail(text):
    sys.exit(f"error: {text}")


def ask(base, path, body=None, method=None, headers=None):
    """Sends a request with the key, unless a header replaces it. Returns the status, the headers and the body."""
    headers = {"Authorization": f"Bearer {KEY}", **(headers or {})}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, {name: value for name, value in headers.items() if value}, method=method)
    try:
        response = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as refusal:
        response = refusal
    with response:
        return response.status, {name.lower(): value for name, value in response.headers.items()}, response.read()


def data(base, path, *more):
    """Returns the data of a response, which must be a success."""
    status, _, answer = ask(base, path, *more)
    if status != 200:
        fail(f"{path}: {status} {answer[:300]!r}")
    return json.loads(answer)["data"]


def requests():
    """Returns requests for each endpoint, each file and each kind of refusal, as path, body, method and headers."""
    entity = data(HOST, "/v1/entities")[0]["id"]
    # Without /v1/models, because the local host has the demo's models and the functions have those that are shipped.
    paths = [
        "/v1/workspace", "/v1/workspace/members", "/v1/entities", "/v1/entities?limit=2&format=csv", "/v1/domain-groups", "/v1/webhooks", "/v1/tags",
        f"/v1/entities/prompts?entityId={entity}", f"/v1/entities/actions?entityId={entity}",
        f"/v1/trends/visibility?entityId={entity}&period=7d", f"/v1/entities/citations?entityId={entity}&limit=3",
        f"/v1/entities/competitors?entityId={entity}&limit=3", f"/v1/responses?entityId={entity}&limit=3",
        f"/v1/query-fanouts?entityId={entity}&limit=3", "/v1/entities/check-domain?domain=m%C3%BCnchen.de", "/v1/nowhere", "/nowhere",
        "/v1/entities/", "/openapi.json", "/docs", "/", "/llms.txt",
    ]
    # The files of the console and of the document's page, which are compressed where a client accepts that.
    pages = "".join(ask(HOST, path)[2].decode() for path in ("/", "/docs"))
    files = sorted({"/" + file.lstrip("/") for file in re.findall(r'(?:src|href)="((?:/?console|/?docs)/[^"#?]+)"', pages)})
    compressed = {"Accept-Encoding": "gzip, br"}
    preflight = {"Origin": "https://app.example.com", "Access-Control-Request-Method": "GET"}
    return [(path, None, "GET", {}) for path in paths + files] + [
        ("/openapi.json", None, "GET", compressed),
        (files[-1], None, "GET", compressed),
        ("/v1/workspace", None, "OPTIONS", preflight),
        ("/v1/workspace", None, "GET", {"Authorization": ""}),
        ("/v1/workspace", None, "GET", {"Authorization": "Bearer wsk_nope"}),
        ("/v1/entities", {"name": ""}, "POST", {}),
        ("/v1/entities", {}, "PUT", {}),
        ("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, "POST", MCP),
    ]


def compare():
    """Sends each request to both, and fails if an answer differs."""
    different, all_requests = 0, requests()
    for path, body, method, headers in all_requests:
        started = time.monotonic()
        status, got, answer = ask(SAM, path, body, method, headers)
        took = time.monotonic() - started
        expected_status, expected, expected_answer = ask(HOST, path, body, method, headers)
        names = {name for name in got.keys() | expected.keys() if name not in VARYING and got.get(name) != expected.get(name)}
        same = status == expected_status and answer == expected_answer and not names
        different += not same
        print(f"{'same     ' if same else 'DIFFERENT'} {method:7} {status} {len(answer):7} B {took:5.2f} s {path}")
        if not same:
            shown = {name: (got.get(name), expected.get(name)) for name in names}
            print(f"          {expected_status}, {len(expected_answer)} B, headers {shown}: {answer[:200]!r} {expected_answer[:200]!r}")
    if different or len(all_requests) < LEAST:
        fail(f"{different} of {len(all_requests)} answers differ, of at least {LEAST}")
    print(f"{len(all_requests)} answers are the same")


def create(name, **more):
    """Creates an entity through SAM, with the first of its models. Returns the entity's id."""
    model = data(SAM, "/v1/models")[0]["uuid"]
    body = {"name": name, "domain": f"{name.lower()}.example", "models": [model], **more}
    return data(SAM, "/v1/entities", body)["id"]


def write():
    """Writes reach the same table and the same bus: the local host takes up the check that a function has claimed."""
    entity = create("Velumora", prompts=["Which running shoes are best for beginners?"])
    for _ in range(150):
        state = data(HOST, f"/v1/entities/tracking-status?entityId={entity}")
        if state["problems"] or state["lastCheckCompletedAt"]:
            break
        time.sleep(0.2)
    else:
        fail(f"the local host does not take up the check: {state}")
    print("an entity is created, and its check is taken up")
    generated = create("Quandrel")
    prompts = data(HOST, f"/v1/entities/prompts?entityId={generated}")
    if not prompts or not all("running shoes is the best?" in prompt["prompt"] for prompt in prompts):
        fail(f"the prompts are not the provider's: {prompts}")
    print(f"{len(prompts)} prompts are generated with the key in the secret")
    for created in (entity, generated):
        status, _, answer = ask(SAM, f"/v1/entities?entityId={created}", method="DELETE")
        if status != 200:
            fail(f"an entity is not deleted: {status} {answer!r}")


compare()
write()

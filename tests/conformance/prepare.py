"""Raises the limits of the demo workspace, creates a second workspace, and writes the configuration of schemathesis with the
ids of the demo. Usage: prepare.py ADMIN FOLDER, where FOLDER contains the ready line of the local host."""

import json
import pathlib
import subprocess
import sys
import urllib.request

admin, folder = sys.argv[1], pathlib.Path(sys.argv[2])
here = pathlib.Path(__file__).parent
ready = json.loads((folder / "ready.json").read_text())
base, key = ready["baseUrl"], ready["apiKey"]

WIDE = ["--entities", "100000", "--prompts", "1000000", "--members", "100", "--add-credits", "100000000"]
RATES = ["--reads-per-minute", "1000000", "--writes-per-minute", "1000000", "--creates-per-hour", "1000000"]


def run_admin(*arguments):
    endpoints = ["--endpoint-url", ready["dynamodbEndpoint"], "--events-endpoint", ready["eventsEndpoint"]]
    completed = subprocess.run([admin, *endpoints, *arguments], check=True, capture_output=True, text=True)
    return json.loads(completed.stdout)


def data(path):
    request = urllib.request.Request(base + path, headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["data"]


demo = data("/workspace")["workspace"]["id"]
run_admin("workspace", "set-limits", "--workspace", demo, *WIDE, *RATES)
run_admin("member", "add", "--workspace", demo, "--email", "ann@example.com", "--name", "Ann", "--role", "admin")
other = run_admin("workspace", "create", "--name", "Other", *RATES)["apiKey"]

entities = data("/entities")
first = entities[0]["id"]
boards = [data(f"/entities/actions?entityId={entity['id']}") for entity in entities]
ids = {
    "entities": [entity["id"] for entity in entities],
    "models": [model["uuid"] for model in data("/models")],
    "prompts": [prompt["id"] for entity in entities for prompt in data(f"/entities/prompts?entityId={entity['id']}")],
    "responses": [row["responseId"] for entity in entities for row in data(f"/responses?entityId={entity['id']}&limit=100")],
    "brands": [row["entityUuid"] for row in data(f"/entities/citations?entityId={first}&limit=100")],
    "actionables": [item["id"] for board in boards for item in board["actionables"]],
    "tasks": [item["id"] for board in boards for item in board["tasks"]],
    "members": [member["userId"] for member in data("/workspace/members")],
}
configuration = [(here / "schemathesis.toml").read_text()]
for name, values in ids.items():
    configuration.append(f"[dictionaries.{name}]\nvalues = {json.dumps(values)}\n")
(folder / "schemathesis.toml").write_text("\n".join(configuration))

# The users of the check that no user can read what another one has created.
users = [("demo", key), ("other", other)]
header = lambda api_key: [{"name": "Authorization", "value": f"Bearer {api_key}"}]
auth = {"auth": [{"name": name, "fixedHeaders": header(held)} for name, held in users]}
(folder / "users.json").write_text(json.dumps(auth))
(folder / "base-url").write_text(base)
document = json.loads((here.parent.parent / "infra" / "openapi.json").read_text())
# An empty date is none, which the words of the document say.
for name in ("StartDate", "EndDate"):
    document["components"]["parameters"][name]["schema"]["anyOf"].append({"const": ""})
(folder / "openapi.json").write_text(json.dumps(document))

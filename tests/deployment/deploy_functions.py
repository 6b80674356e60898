"""Deploys each function with `cargo lambda deploy` to moto's Lambda API.

Where the stack has made a function, only its code is replaced: role, environment, memory, timeout and alias stay. Where there is none, a function
is created with the role, the environment, and the memory and timeout of its Cargo.toml, which are those of template.yaml.
"""

import io
import logging
import os
import subprocess
import zipfile
from pathlib import Path

os.environ.update(AWS_REGION="us-east-1", AWS_DEFAULT_REGION="us-east-1", AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none")

import boto3
from moto.server import ThreadedMotoServer

FUNCTIONS = Path(os.environ["FUNCTIONS"])
ARCHITECTURE = os.environ["ARCHITECTURE"]
TRUST = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]}'
ENVIRONMENT = {"TABLE_NAME": "visibility", "EVENT_BUS_NAME": "visibility-checks"}
KEPT = ["Role", "Environment", "MemorySize", "Timeout", "Architectures", "Handler", "Runtime"]


def memory_and_timeout(function):
    return {"checker": (1024, 900), "notifier": (512, 120)}.get(function, (512, 29))


def old_code():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bootstrap", "the code before")
    return packed.getvalue()


def deploy(endpoint, *options):
    command = ["cargo", "lambda", "deploy", "--endpoint-url", endpoint, "--lambda-dir", str(FUNCTIONS), *options]
    subprocess.run(command, check=True, capture_output=True, text=True)


def configuration(client, name):
    return client.get_function(FunctionName=name)["Configuration"]


def replace_code(client, endpoint, function, role):
    """Deploys to a function that looks as the stack makes it."""
    name = f"visibility-prod-{function}-function"
    memory, timeout = memory_and_timeout(function)
    client.create_function(
        FunctionName=name, Runtime="provided.al2023", Handler="bootstrap", Role=role, Code={"ZipFile": old_code()}, MemorySize=memory,
        Timeout=timeout, Architectures=[ARCHITECTURE], Environment={"Variables": ENVIRONMENT}, Publish=True,
    )
    client.create_alias(FunctionName=name, Name="live", FunctionVersion="1")
    before = configuration(client, name)
    deploy(endpoint, "--binary-name", function, name)
    after = configuration(client, name)
    assert after["CodeSha256"] != before["CodeSha256"] and after["CodeSize"] > 100_000, after
    for field in KEPT:
        assert after[field] == before[field], (function, field, before[field], after[field])
    assert client.get_alias(FunctionName=name, Name="live")["FunctionVersion"] == "1"
    return after["CodeSha256"]


def create_function(client, endpoint, function, role):
    """Deploys a function of its own."""
    variables = ",".join(f"{name}={value}" for name, value in ENVIRONMENT.items())
    deploy(endpoint, "--role", role, "--env-var", variables, function)
    created = configuration(client, function)
    assert (created["MemorySize"], created["Timeout"]) == memory_and_timeout(function), created
    assert created["Environment"]["Variables"] == ENVIRONMENT and created["Role"] == role, created
    assert created["Architectures"] == [ARCHITECTURE], created
    return created["CodeSha256"]


def main():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    client = boto3.client("lambda", endpoint_url=endpoint)
    role = boto3.client("iam", endpoint_url=endpoint).create_role(RoleName="function", AssumeRolePolicyDocument=TRUST)["Role"]["Arn"]
    functions = sorted(folder.name for folder in Path("functions").iterdir() if (folder / "Cargo.toml").exists())
    for function in functions:
        replaced = replace_code(client, endpoint, function, role)
        created = create_function(client, endpoint, function, role)
        assert replaced == created, f"{function}: the zips differ"
        print(f"{function}: the code of the stack's function is replaced, and nothing else; a function of its own is created")
    server.stop()


if __name__ == "__main__":
    main()

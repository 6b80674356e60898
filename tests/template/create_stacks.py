"""Creates the template's stack in moto's CloudFormation, with the default parameters, with every option, and with a restored table.

The template is translated by SAM's own translator, as AWS does it. Checks that each resource whose type moto knows is created, and what the
options change. Prints the types that moto does not know.
"""

import json
import logging
import os
import warnings
from pathlib import Path

os.environ.update(AWS_DEFAULT_REGION="us-east-1", AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none")

import boto3
from moto import mock_aws
from moto.cloudformation.parsing import get_model_map
from moto.events.models import EventBus
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

TEMPLATE = Path(__file__).parents[2] / "template.yaml"
ACCOUNT = "arn:aws:{}:us-east-1:123456789012:"
REQUIRED = {
    "ProviderSecretArn": ACCOUNT.format("secretsmanager") + "secret:visibility-providers-AbCdEf",
}
OPTIONS = {
    "Providers": "openai,anthropic,gemini,perplexity,xai,mistral",
    "Architecture": "x86_64",
    "CorsOrigins": "https://app.example.com",
    "DomainName": "api.example.com",
    "CertificateArn": ACCOUNT.format("acm") + "certificate/12345678-1234-1234-1234-123456789012",
    "CheckerConcurrency": "20",
    "AlarmEmail": "operator@example.com",
    "MonthlyBudget": "100",
    "Checks": "off",
}
RESTORED = {"RestoredTable": "visibility-restored"}

KNOWN = set(get_model_map())

# moto 5.2.5 gives an event bus no physical id, to which a reference would resolve.
EventBus.physical_resource_id = property(lambda bus: bus.name)


class NoManagedPolicies:
    """The template names no managed policies of AWS."""

    def load(self):
        return {}


def translated(parameters):
    template = yaml_parse(TEMPLATE.read_text())
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            # `sam package` replaces the folder by the place of the zip.
            resource["Properties"]["CodeUri"] = {"Bucket": "code", "Key": "bootstrap.zip"}
    return transform(template, dict(parameters), NoManagedPolicies())


def holds(template, condition, parameters):
    """Evaluates a condition of the template."""
    if isinstance(condition, str):
        return holds(template, template["Conditions"][condition], parameters)
    [(function, operands)] = condition.items()
    if function == "Condition":
        return holds(template, operands, parameters)
    if function == "Fn::Not":
        return not holds(template, operands[0], parameters)
    if function == "Fn::And":
        return all(holds(template, operand, parameters) for operand in operands)
    if function == "Fn::Equals":
        left, right = (value(template, operand, parameters) for operand in operands)
        return left == right
    raise ValueError(function)


def value(template, operand, parameters):
    if not isinstance(operand, dict):
        return str(operand)
    name = operand["Ref"]
    return str(parameters.get(name, template["Parameters"][name].get("Default")))


def create(name, options):
    """Creates a stack in an account of its own. Returns its resources, as physical ids by logical id, and its outputs."""
    parameters = REQUIRED | options
    template = translated(parameters)
    for key, output in list(template["Outputs"].items()):
        resource, *_ = output["Value"].get("Fn::GetAtt", [None]) if isinstance(output["Value"], dict) else [None]
        # moto reads attributes only of what it knows.
        if resource and template["Resources"][resource]["Type"] not in KNOWN:
            del template["Outputs"][key]
    boto3.client("s3").create_bucket(Bucket="code")
    boto3.client("s3").put_object(Bucket="code", Key="bootstrap.zip", Body=b"PK\5\6" + bytes(18))
    cloudformation = boto3.client("cloudformation")
    listed = [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]
    cloudformation.create_stack(StackName=name, TemplateBody=json.dumps(template), Parameters=listed, Capabilities=["CAPABILITY_IAM"])
    [stack] = cloudformation.describe_stacks(StackName=name)["Stacks"]
    assert stack["StackStatus"] == "CREATE_COMPLETE", stack
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
    rows = [row for page in pages for row in page["StackResourceSummaries"]]
    # What moto does not know is listed without an id.
    created = {row["LogicalResourceId"]: row["PhysicalResourceId"] for row in rows if row["LogicalResourceId"]}
    wanted = {
        logical: resource["Type"]
        for logical, resource in template["Resources"].items()
        if "Condition" not in resource or holds(template, resource["Condition"], parameters)
    }
    known = {logical for logical, kind in wanted.items() if kind in KNOWN}
    missing, unexpected = known - set(created), set(created) - set(wanted)
    assert not missing and not unexpected, (missing, unexpected)
    unknown = sorted({kind for kind in wanted.values() if kind not in KNOWN})
    # moto knows no HTTP APIs. SAM writes whether the execute-api address is disabled into the API's document.
    [server] = template["Resources"]["Api"]["Properties"]["Body"]["servers"]
    endpoint = server["x-amazon-apigateway-endpoint-configuration"]["disableExecuteApiEndpoint"]
    assert endpoint == {"Fn::If": ["HasDomain", True, False]}, endpoint
    assert holds(template, "HasDomain", parameters) == ("DomainName" in options)
    # Lambda does not stop the checker for calling itself again and again.
    assert template["Resources"]["CheckerFunction"]["Properties"]["RecursiveLoop"] == "Allow"
    print(f"{name}: {len(known)} of {len(wanted)} resources are created. Not known to moto: {', '.join(unknown) or 'none'}")
    return created, {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}


def functions(created):
    """Returns the configurations of the functions by logical id."""
    client = boto3.client("lambda")
    return {name: client.get_function(FunctionName=created[name])["Configuration"] for name in created if name.endswith("Function")}


def check_workers(created, is_on):
    mappings = boto3.client("lambda").list_event_source_mappings()["EventSourceMappings"]
    is_enabled = {mapping["EventSourceArn"]: mapping["State"] == "Enabled" for mapping in mappings}
    # Webhooks are told what has happened even while nothing is asked.
    notifications = [is_enabled.pop(queue) for queue in list(is_enabled) if "NotificationQueue" in queue]
    assert notifications == [True] and list(is_enabled.values()) == [is_on] * 3, mappings
    tick = boto3.client("events").describe_rule(Name=created["CheckerFunctionTick"])
    assert tick["State"] == ("ENABLED" if is_on else "DISABLED"), tick


@mock_aws
def defaults():
    created, outputs = create("defaults", {})
    check_workers(created, True)
    for name, function in functions(created).items():
        assert function["Environment"]["Variables"]["TABLE_NAME"] == created["Table"], name
    assert not {"AlarmTopic", "Budget", "ApiDomain"} & set(created)
    assert "execute-api" in outputs["ApiUrl"] and "DomainTarget" not in outputs


@mock_aws
def every_option():
    created, outputs = create("every-option", OPTIONS)
    check_workers(created, False)
    for name, function in functions(created).items():
        assert function["Environment"]["Variables"]["CORS_ORIGINS"] == "https://app.example.com", name
    assert outputs["ApiUrl"] == "https://api.example.com/v1" and outputs["ConsoleUrl"] == "https://api.example.com/"
    [subscription] = boto3.client("sns").list_subscriptions()["Subscriptions"]
    assert subscription["Endpoint"] == "operator@example.com", subscription


@mock_aws
def restored_table():
    created, outputs = create("restored-table", RESTORED)
    for name, function in functions(created).items():
        assert function["Environment"]["Variables"]["TABLE_NAME"] == "visibility-restored", name
    assert outputs["TableName"] == "visibility-restored"
    # The stack's own table stays.
    assert "Table" in created


if __name__ == "__main__":
    # The types that moto does not know are printed once, not warned of each time.
    warnings.simplefilter("ignore")
    logging.getLogger("moto").setLevel(logging.ERROR)
    for check in (defaults, every_option, restored_table):
        check()

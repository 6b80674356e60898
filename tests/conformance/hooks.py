"""The rules that a JSON schema cannot express. The service may refuse a request that fits the document only because of one
of these rules, and only in these words."""

import re
import urllib.parse

import schemathesis

RULES = [
    # Rules about two fields together.
    r"startDate and endDate must span at most \d+ days",
    r"startDate must not be after endDate",
    r"startDate must not be after today where endDate is missing",
    r"baseStartDate and baseEndDate must span at most \d+ days, from 1970 on",
    r"baseStartDate must not be after baseEndDate",
    r"baseEndDate must be before the window",
    r"startDate must be after 1970-01-01, so that there are days before it",
    r"entities must be 2 to \d+ different entities",
    r"primaryEntity must be one of entities",
    r"updates\[\d+\]\.promptId must be given only once",
    r"offset must be given together with limit",
    r"(updates|prompts?) must not be given together with .*",
    # JSON Schema accepts 12.0 as an integer. A query parameter has digits only.
    r"\w+ must be a whole number from \d+ to \d+",
    # Rules about the existence of other things than the subject of the request.
    r"models\[\d+\] must be the uuid of a model from GET /models(: [0-9a-f-]{36} is unknown)?",
    r"(updates\[\d+\]\.|prompts\[\d+\]\.)?tags\[\d+\] must be the id of a tag from GET /tags",
    r"assignees\[\d+\] must be the userId of an active member of the workspace",
    r"entityId must name an entity with an active prompt",
    r"webhookId must name a webhook that is enabled",
    # Rules that depend on calendars, code lists and the Public Suffix List.
    r"(startDate|endDate|baseStartDate|baseEndDate) must be YYYY-MM-DD or an ISO 8601 timestamp with an offset or Z, from 1970 on",
    r"(\w+\[\d+\]\.)?geolocation must be global or an ISO 3166-1 alpha-2 code such as us",
    r"(\w+\[\d+\]\.)?language must be an ISO 639-1 code.*",
    r"(domain|target) must .*",
    # Which hosts are public depends on the registries of addresses and on conventions.
    r"url must (be an https URL|have a public address|have a public host name|not contain a .*)",
]


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Puts the bodies of links where schemathesis reads them. openapi-generator takes no object there."""
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            for link in operation["responses"]["200"].get("links", {}).values():
                if "x-request-body" in link:
                    link["requestBody"] = link.pop("x-request-body")


@schemathesis.hook
def filter_query(context, query):
    """Leaves out what only the words of the document allow: an empty format is none, and a table has larger pages. API Gateway refuses
    a longer target itself."""
    values = query or {}
    if len(urllib.parse.urlencode(values, doseq=True)) > 7_500:
        return False
    return values.get("format") != "" and not (values.get("format") == "csv" and "limit" in values)


@schemathesis.check
def fitting_requests_are_refused_by_known_rules_only(ctx, response, case):
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    error = response.json()["error"]
    assert any(re.fullmatch(rule, error) for rule in RULES), f"an unlisted rule: {error}"

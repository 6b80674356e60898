"""Calls every operation of the API through the generated Python client, and checks what it returns.

Usage: driver.py BASE_URL API_KEY CALLED RECEIVERS, where CALLED is the file that gets a line for each call that succeeds, and RECEIVERS is
`loopback` if the service sends messages to this machine, else `public`.
"""

import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import TypeVar

import httpx
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
from visibility_client import AuthenticatedClient
from visibility_client.api.actions import create_task, dismiss_actionable, list_actions, update_task_status
from visibility_client.api.analytics import (
    compare_trends,
    get_citation_details,
    get_citation_trend,
    get_response,
    get_visibility_trend,
    list_citations,
    list_competitors,
    list_entity_overviews,
    list_query_fanouts,
    list_responses,
)
from visibility_client.api.domain_groups import (
    create_domain_group,
    delete_domain_group,
    list_domain_groups,
    update_domain_group,
)
from visibility_client.api.entities import (
    check_domain,
    create_entity,
    delete_entity,
    get_name_request,
    get_tracking_status,
    list_entities,
    request_name,
    run_check,
    update_entity,
)
from visibility_client.api.prompts import add_prompt, delete_prompt, list_prompts, update_prompt
from visibility_client.api.tags import create_tag, delete_tag, list_tags
from visibility_client.api.webhooks import (
    create_webhook,
    delete_webhook,
    list_deliveries,
    list_webhooks,
    redeliver,
    rotate_webhook_secret,
    test_webhook,
    update_webhook,
)
from visibility_client.api.workspace import get_key, get_workspace, list_members, list_models
from visibility_client.models import (
    AddedPrompt,
    AddedPrompts,
    AddOnePromptRequest,
    AddSeveralPromptsRequest,
    ApiError,
    CitationGapEvidence,
    CreateDomainGroupRequest,
    CreateEntityRequest,
    CreateTagRequest,
    CreateTaskRequest,
    CreateWebhookRequest,
    DismissActionableRequest,
    Entity,
    NameRequest,
    NewPrompt,
    PromptUpdate,
    RedeliverRequest,
    RequestNameRequest,
    RotateWebhookSecretRequest,
    RunCheckRequest,
    TemporaryError,
    TestWebhookRequest,
    TrackingStatus,
    UpdateDomainGroupRequest,
    UpdatedPrompt,
    UpdatedPrompts,
    UpdateEntityRequest,
    UpdateOnePromptRequest,
    UpdateSeveralPromptsRequest,
    UpdateTaskStatusRequest,
    UpdateWebhookRequest,
)

T = TypeVar("T")

base_url, api_key, called, receivers = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4]


def ok(result: T | ApiError | TemporaryError | None) -> T:
    """Returns the result of a call that must succeed."""
    assert result is not None, "a status that the document does not have"
    assert not isinstance(result, ApiError | TemporaryError), result.error
    return result


def error(result: object) -> str:
    """Returns the text of the error that a call must get."""
    assert isinstance(result, ApiError), result
    return result.error


def note(response: httpx.Response) -> None:
    """Notes a call that succeeded, by the method and the path."""
    if response.is_success:
        path = response.request.url.path.removeprefix(httpx.URL(base_url).path)
        with called.open("a") as lines:
            lines.write(f"{response.request.method} {path}\n")


def new_client(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=base_url, token=key, httpx_args={"event_hooks": {"response": [note]}})


def demo_entity(name: str) -> Entity:
    entities = ok(list_entities.sync(client=client)).data
    return next(entity for entity in entities if entity.name == name)


def in_workspace() -> None:
    workspace = ok(get_workspace.sync(client=client)).data
    assert workspace.workspace.name == "Demo workspace"
    assert workspace.subscription.expires_at is None
    assert 0 < workspace.usage.credits_.balance and workspace.usage.entities.used <= workspace.usage.entities.limit
    key = ok(get_key.sync(client=client)).data
    assert key.scope == "write" and key.entity_ids is None
    members = ok(list_members.sync(client=client))
    assert members.count == len(members.data) and "ada@demo.example" in [member.email for member in members.data]


def with_errors() -> None:
    """Errors have types of their own."""
    stranger = new_client("wsk_unknown")
    assert error(list_entities.sync(client=stranger)) == "Invalid API key"
    missing = list_prompts.sync_detailed(client=client, entity_id="unknown")
    assert missing.status_code == 404 and error(missing.parsed) == "Entity not found"
    models = [model.uuid for model in ok(list_models.sync(client=client)).data]
    suffix = CreateEntityRequest(name="X", domain="co.uk", models=models)
    assert error(create_entity.sync(client=client, body=suffix)) == "domain must not be a public suffix"


def with_an_entity() -> None:
    """The life of an entity, from its creation through a check to its end."""
    domain = "northpeak.example"
    free = ok(check_domain.sync(client=client, domain="https://www.Northpeak.example/")).data
    assert (free.domain, free.available, free.entity_id) == (domain, True, None)

    models = [model.uuid for model in ok(list_models.sync(client=client)).data][:2]
    body = CreateEntityRequest(
        name="Northpeak",
        domain=domain,
        models=models,
        prompts=["Which tents are best?", NewPrompt(prompt="Welches Zelt ist gut?", language="de", geolocation="de")],
        start_tracking=False,
    )
    created = ok(create_entity.sync(client=client, body=body, idempotency_key="python-northpeak"))
    again = ok(create_entity.sync(client=client, body=body, idempotency_key="python-northpeak"))
    assert created.data.id == again.data.id and created.prompts_generated == 2 and not created.tracking_started
    assert [prompt.language for prompt in created.prompts] == ["en", "de"]
    entity = created.data.id
    taken = ok(check_domain.sync(client=client, domain=domain)).data
    assert (taken.available, taken.reason, taken.entity_id) == (False, "already_in_workspace", entity)

    changes = UpdateEntityRequest(entity_id=entity, aliases=["North Peak"], frequency_hours=12)
    updated = ok(update_entity.sync(client=client, body=changes)).data
    assert (updated.aliases, updated.frequency_hours, updated.models) == (["North Peak"], 12, models)

    with_prompts(entity, [prompt.id for prompt in created.prompts])
    with_a_check(entity, len(models))
    with_names(entity)
    with_a_group(created.data)

    assert ok(delete_entity.sync(client=client, entity_id=entity)).data.entity_id == entity
    assert error(list_prompts.sync(client=client, entity_id=entity)) == "Entity not found"


def with_prompts(entity: str, first: list[str]) -> None:
    tag = ok(create_tag.sync(client=client, body=CreateTagRequest(name="Python"))).data
    assert tag.id in [known.id for known in ok(list_tags.sync(client=client)).data]

    one = ok(add_prompt.sync(client=client, body=AddOnePromptRequest(entity_id=entity, prompt="Which tent is light?")))
    assert isinstance(one, AddedPrompt)
    tagged = NewPrompt(prompt="Which tent is cheap?", tags=[tag.id])
    several = AddSeveralPromptsRequest(entity_id=entity, prompts=["Which tent is large?", tagged])
    two = ok(add_prompt.sync(client=client, body=several))
    assert isinstance(two, AddedPrompts) and two.count == len(two.prompt_ids) == 2

    paused = ok(update_prompt.sync(client=client, body=UpdateOnePromptRequest(prompt_id=first[0], is_active=False)))
    assert isinstance(paused, UpdatedPrompt) and paused.prompt.id == first[0]
    # `None` is sent as null, and what is not given is not sent.
    updates = [PromptUpdate(prompt_id=first[0], is_active=True), PromptUpdate(prompt_id=first[1], language=None)]
    changed = ok(update_prompt.sync(client=client, body=UpdateSeveralPromptsRequest(updates=updates)))
    assert isinstance(changed, UpdatedPrompts)
    assert [(prompt.is_active, prompt.language) for prompt in changed.prompts] == [(True, "en"), (True, "en")]

    deleted = ok(delete_prompt.sync(client=client, prompt_id=one.prompt_id)).data
    assert deleted.prompt_id == one.prompt_id
    listed = ok(list_prompts.sync(client=client, entity_id=entity)).data
    assert [prompt.id for prompt in listed] == [*first, *two.prompt_ids] and listed[3].tags == [tag.id]
    assert listed[0].stats.responses == 0 and listed[0].stats.visibility_score is None
    selected = ok(list_prompts.sync(client=client, entity_id=entity, prompt_ids=first, tags=[tag.id]))
    assert selected.data == []
    assert ok(delete_tag.sync(client=client, tag_id=tag.id)).data.tag_id == tag.id


def with_a_check(entity: str, models: int) -> None:
    started = ok(run_check.sync(client=client, body=RunCheckRequest(entity_id=entity))).data
    assert started.is_processing and started.questions == 4 * models
    finished_check(entity)

    responses = ok(list_responses.sync(client=client, entity_id=entity, limit=1))
    assert responses.pagination.total == started.questions and len(responses.data) == 1
    details = ok(get_response.sync(client=client, response_id=responses.data[0].response_id)).data
    assert details.response.response_id == responses.data[0].response_id
    assert len(details.citations) == details.summary.citations_count == responses.data[0].citations_count
    assert (details.response.state == "answered") == (details.response.response_text != "")
    assert details.prompt is not None and details.prompt.text == responses.data[0].prompt
    trend = ok(get_visibility_trend.sync(client=client, entity_id=entity, period="7d")).data
    assert 0 < sum(point.responses for point in trend) <= started.questions


def finished_check(entity: str) -> TrackingStatus:
    """Waits until the entity's check has ended."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        status = ok(get_tracking_status.sync(client=client, entity_id=entity)).data
        if not status.is_processing and status.last_check_completed_at is not None:
            assert status.frequency_hours == 12 and status.problems == []
            return status
        time.sleep(0.5)
    raise AssertionError("the check has not ended")


def with_names(entity: str) -> None:
    body = RequestNameRequest(entity_id=entity, suggested_name="Northpeak Tents", reason="We are called so now.")
    requested = ok(request_name.sync(client=client, body=body)).data
    found = ok(get_name_request.sync(client=client, entity_id=entity)).data
    assert isinstance(found, NameRequest) and found == requested
    assert found.status == "pending" and found.reviewed_at is None
    assert "waits for its review" in error(request_name.sync(client=client, body=body))


def with_a_group(entity: Entity) -> None:
    plandriva = demo_entity("Plandriva")
    body = CreateDomainGroupRequest(
        primary_entity=entity.id, entities=[entity.id, plandriva.id], name="Python", entity_id=entity.id
    )
    group = ok(create_domain_group.sync(client=client, body=body)).data
    assert [member.entity_id for member in group.entities] == [entity.id, plandriva.id]
    assert group.primary_entity_uuid == entity.entity_uuid and group.entity_tracking_id == entity.id
    changes = UpdateDomainGroupRequest(group_id=group.id, name="Python group")
    assert ok(update_domain_group.sync(client=client, body=changes)).data.name == "Python group"
    listed = ok(list_domain_groups.sync(client=client, group_id=group.id))
    assert listed.count == 1 and listed.data[0].name == "Python group"
    assert ok(delete_domain_group.sync(client=client, group_id=group.id)).data.group_id == group.id


def with_figures() -> None:
    """The figures of 30 days of the demo."""
    entity = demo_entity("Plandriva")
    days = ok(get_visibility_trend.sync(client=client, entity_id=entity.id, period="14d")).data
    assert len(days) == 14 and days[0].date < days[-1].date
    for day in days:
        assert day.score == round(100 * day.mentions / day.responses, 2)
        assert day.interval[0] <= day.score <= day.interval[1]
    first = ok(
        get_visibility_trend.sync(
            client=client, entity_id=entity.id, start_date=days[0].date, end_date=days[1].date, models=[str(m) for m in entity.models]
        )
    )
    assert first.data == days[:2]

    verdicts = []
    for name in ["Plandriva", "Kanboro", "Stridara"]:
        compared = compare_trends.sync(
            client=client, entity_id=demo_entity(name).id, period="14d", metrics=["visibility"]
        )
        comparison = ok(compared).data
        assert comparison.share_of_voice is None and comparison.citations is None
        assert len(comparison.by_model) == 3 and comparison.window.end_date > comparison.base.end_date
        verdicts.append(comparison.comparison.verdict)
    # The answers of the demo's own models differ in these ways. The built functions know other models.
    has_demo_models = any(model.name.endswith("(demo)") for model in ok(list_models.sync(client=client)).data)
    assert verdicts == ["down", "no_clear_change", "not_comparable"] or not has_demo_models
    overview = ok(list_entity_overviews.sync(client=client, period="14d"))
    by_name = {row.name: row for row in overview.data}
    assert [by_name[name].comparison.verdict for name in ["Plandriva", "Kanboro", "Stridara"]] == verdicts
    assert by_name["Plandriva"].trend == days and by_name["Plandriva"].active_actionables >= 2
    assert by_name["Plandriva"].visibility.responses == sum(day.responses for day in days)
    assert by_name["Plandriva"].status.problems == []
    everything = ok(compare_trends.sync(client=client, entity_id=entity.id, period="14d")).data
    assert everything.share_of_voice is not None and everything.share_of_voice.by_rival[0].name == "Kanboro"

    cited = ok(list_citations.sync(client=client, entity_id=entity.id, limit=1))
    assert len(cited.data) == cited.data[0].rank == 1 < cited.pagination.total
    urls = ok(
        get_citation_details.sync(
            client=client, entity_id=entity.id, cited_entity_uuid=cited.data[0].entity_uuid, limit=100
        )
    )
    assert sum(url.citation_count for url in urls.data) == cited.data[0].total_citations
    trend = ok(get_citation_trend.sync(client=client, entity_id=entity.id, top_n=1))
    assert [row.name for row in trend.entities] == [cited.data[0].name]
    assert sum(point[cited.data[0].name] for point in trend.data) == cited.data[0].total_citations

    rivals = ok(list_competitors.sync(client=client, entity_id=entity.id)).data
    assert [rival.name for rival in rivals if rival.is_current_entity] == ["Plandriva"]
    assert abs(sum(rival.share_of_voice or 0 for rival in rivals) - 100) < 0.1
    fanouts = ok(list_query_fanouts.sync(client=client, entity_id=entity.id, search="BEST", limit=5))
    assert 0 < len(fanouts.data) <= 5 and all("best" in fanout.query.lower() for fanout in fanouts.data)
    assert fanouts.pagination.has_next_page == (fanouts.total_count > 5)


def with_a_board() -> None:
    entity = demo_entity("Plandriva")
    board = ok(list_actions.sync(client=client, entity_id=entity.id, status="active"))
    assert board.counts.actionables == len(board.data.actionables) >= 2
    for actionable in board.data.actionables:
        evidence = actionable.metadata
        # The class of the evidence follows from the rule.
        assert evidence.rule == actionable.source_type
        assert isinstance(evidence, CitationGapEvidence) == (evidence.rule == "citation_gap")
        assert evidence.query.parameters["entityId"] == entity.id

    first, last = board.data.actionables[0], board.data.actionables[-1]
    assignee = ok(list_members.sync(client=client)).data[0].user_id
    body = CreateTaskRequest(actionable_id=first.id, assignees=[assignee])
    task = ok(create_task.sync(client=client, body=body)).data
    assert (task.actionable_id, task.assignees, task.status) == (first.id, [assignee], "not_started")
    moved = UpdateTaskStatusRequest(task_id=task.id, status="in_review")
    assert ok(update_task_status.sync(client=client, body=moved)).success
    assert ok(dismiss_actionable.sync(client=client, body=DismissActionableRequest(actionable_id=last.id))).success

    board = ok(list_actions.sync(client=client, entity_id=entity.id))
    statuses = {actionable.id: actionable.status for actionable in board.data.actionables}
    assert (statuses[first.id], statuses[last.id]) == ("in_task", "dismissed")
    assert [known.status for known in board.data.tasks if known.id == task.id] == ["in_review"]


def verifies(secret: str | None, message: tuple[bytes, dict[str, str]]) -> bool:
    """Returns whether the Standard Webhooks library accepts the signature of a message."""
    assert secret is not None, "only a repeated request gets none"
    try:
        Webhook(secret).verify(*message)
    except WebhookVerificationError:
        return False
    return True


def with_a_receiver() -> None:
    """A receiver verifies its messages by the Standard Webhooks library, also while the secret is rotated."""
    messages: list[tuple[bytes, dict[str, str]]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            messages.append((body, {name.lower(): value for name, value in self.headers.items()}))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    body = CreateWebhookRequest(url=f"http://127.0.0.1:{server.server_port}/hook", events=["check.completed"])
    created = ok(create_webhook.sync(client=client, body=body))
    webhook, first = created.data.id, created.secret
    assert webhook in [known.id for known in ok(list_webhooks.sync(client=client)).data]

    def deliver() -> tuple[bytes, dict[str, str]]:
        """Sends a test, and returns the message once the log says that it was accepted."""
        event = ok(test_webhook.sync(client=client, body=TestWebhookRequest(webhook_id=webhook))).data.event_id
        for _ in range(100):
            latest = ok(list_deliveries.sync(client=client, webhook_id=webhook, limit=1)).data
            if latest and (latest[0].event_id, latest[0].state) == (event, "delivered"):
                return next(message for message in messages if message[1]["webhook-id"] == event)
            time.sleep(0.1)
        raise AssertionError(f"{event} is not delivered")

    message = deliver()
    assert verifies(first, message)
    assert not verifies(first, (message[0].replace(b"test", b"Test"), message[1]))
    old = {**message[1], "webhook-timestamp": str(int(message[1]["webhook-timestamp"]) - 600)}
    assert not verifies(first, (message[0], old))

    rotate = RotateWebhookSecretRequest(webhook_id=webhook)
    second = ok(rotate_webhook_secret.sync(client=client, body=rotate)).secret
    message = deliver()
    assert verifies(first, message) and verifies(second, message), "the receiver can change over"
    third = ok(rotate_webhook_secret.sync(client=client, body=rotate)).secret
    message = deliver()
    assert [verifies(secret, message) for secret in (first, second, third)] == [False, True, True]

    latest = ok(list_deliveries.sync(client=client, webhook_id=webhook, limit=1)).data[0]
    again = RedeliverRequest(webhook_id=webhook, delivery_id=latest.id)
    assert ok(redeliver.sync(client=client, body=again)).data.event_id == latest.event_id
    disabled = ok(update_webhook.sync(client=client, body=UpdateWebhookRequest(webhook_id=webhook, enabled=False)))
    assert not disabled.data.enabled
    assert ok(delete_webhook.sync(client=client, webhook_id=webhook)).data.webhook_id == webhook
    server.shutdown()


def without_a_receiver() -> None:
    """Calls the operations of a webhook whose host does not exist, so that its delivery stays pending and is not sent again."""
    on_loopback = CreateWebhookRequest(url="http://127.0.0.1/hook", events=["check.completed"])
    assert "public address" in error(create_webhook.sync(client=client, body=on_loopback))
    body = CreateWebhookRequest(url="https://receiver.example/hook", events=["check.completed"])
    created = ok(create_webhook.sync(client=client, body=body))
    webhook = created.data.id
    assert webhook in [known.id for known in ok(list_webhooks.sync(client=client)).data]
    event = ok(test_webhook.sync(client=client, body=TestWebhookRequest(webhook_id=webhook))).data.event_id
    for _ in range(100):
        latest = ok(list_deliveries.sync(client=client, webhook_id=webhook, limit=1)).data
        if latest:
            break
        time.sleep(0.1)
    [delivery] = latest
    assert (delivery.event_id, delivery.state) == (event, "pending")
    again = RedeliverRequest(webhook_id=webhook, delivery_id=delivery.id)
    assert "pending" in error(redeliver.sync(client=client, body=again))
    rotate = RotateWebhookSecretRequest(webhook_id=webhook)
    assert ok(rotate_webhook_secret.sync(client=client, body=rotate)).secret != created.secret
    disabled = ok(update_webhook.sync(client=client, body=UpdateWebhookRequest(webhook_id=webhook, enabled=False)))
    assert not disabled.data.enabled
    assert ok(delete_webhook.sync(client=client, webhook_id=webhook)).data.webhook_id == webhook


with new_client(api_key) as client:
    in_workspace()
    if receivers == "loopback":
        with_a_receiver()
    else:
        without_a_receiver()
    with_errors()
    with_an_entity()
    with_figures()
    with_a_board()

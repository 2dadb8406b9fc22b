"""Vault, audit logs, pipes, webhooks and events."""

import csv
import io
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone

from accounts import new_organization, new_user
from steps import OUTSIDE, client, equals, local, must, outside, rejected, step
from workos._errors import BadRequestError, ConflictError, NotFoundError, UnprocessableEntityError
from workos.audit_logs import RetentionPeriodInDays
from workos.audit_logs.models import (
    AuditLogEvent,
    AuditLogEventActor,
    AuditLogEventContext,
    AuditLogEventTarget,
    AuditLogSchemaTargetInput,
)
from workos.pipes.models import CustomProviderDefinition, DataIntegrationCredentialsInput
from workos.pkce import PKCE
from workos.common.models import DataIntegrationCredentialsInputType

RETURN_TO = "https://app.example.com/connected"


def vault() -> None:
    api = client.vault
    name = f"token-{uuid.uuid4().hex}"
    context = {"environment": "python"}
    made = step("vault: create", lambda: api.create_kv(key_context=context, name=name, value="first ✓"))
    step("vault: read", lambda: equals(api.get_kv(made.id).value, "first ✓"))
    step("vault: read by name", lambda: equals(api.get_name(name).id, made.id))
    error = rejected("vault: a name twice", lambda: api.create_kv(key_context=context, name=name, value="x"), ConflictError)
    step("vault: the error says what is wrong", lambda: must(str(error)))
    described = step("vault: describe", lambda: api.list_kv_metadata(made.id))
    version = described.metadata.version_id
    step("vault: update", lambda: api.update_kv(made.id, value="second", version_check=version))
    rejected("vault: an update of an old version", lambda: api.update_kv(made.id, value="x", version_check=version), ConflictError)
    step("vault: the new value", lambda: equals(api.get_kv(made.id).value, "second"))
    step("vault: versions", lambda: equals(len(api.list_kv_versions(made.id).data), 2))
    step("vault: list", lambda: must(name in [one.name for one in api.list_kv(limit=100)]))
    sealed = step(
        "vault: local encryption", lambda: api.encrypt(data="secret ✓", key_context=context, associated_data="row 1")
    )
    step("vault: local decryption", lambda: equals(api.decrypt(encrypted_data=sealed, associated_data="row 1"), "secret ✓"))
    pair = step("vault: a data key", lambda: api.create_data_key(context=context))
    again = step("vault: rekey", lambda: api.create_rekey(context={"environment": "other"}, encrypted_keys=pair.encrypted_keys))
    step("vault: a new key", lambda: must(again.data_key))
    rejected("vault: keys that are none", lambda: api.create_decrypt(keys="AAAA"), BadRequestError)
    step("vault: delete", lambda: api.delete_kv(made.id))
    rejected("vault: a deleted one", lambda: api.get_kv(made.id), NotFoundError)
    step("vault: the name is free again", lambda: api.create_kv(key_context=context, name=name, value="third"))


def audit_logs() -> None:
    api = client.audit_logs
    organization = step("audit logs: an organization", new_organization)
    step(
        "audit logs: a schema",
        lambda: equals(api.create_schema("document.read", targets=[AuditLogSchemaTargetInput(type="document")]).version, 1),
    )
    step("audit logs: schemas", lambda: equals(len(api.list_action_schemas("document.read").data), 1))
    step("audit logs: actions", lambda: must("document.read" in [one.name for one in api.list_actions(limit=100)]))
    now = datetime.now(timezone.utc)
    event = AuditLogEvent(
        action="document.read",
        occurred_at=now,
        actor=AuditLogEventActor(id="user_1", type="user"),
        targets=[AuditLogEventTarget(id="document_1", type="document")],
        context=AuditLogEventContext(location="192.0.2.1"),
    )
    key = str(uuid.uuid4())
    for _ in range(2):
        step(
            "audit logs: an event, sent twice under one key",
            lambda: equals(
                api.create_event(organization_id=organization.id, event=event, idempotency_key=key).success, True
            ),
        )
    other = AuditLogEvent.from_dict({**event.to_dict(), "targets": [{"id": "1", "type": "unknown"}]})
    rejected(
        "audit logs: an event outside its schema",
        lambda: api.create_event(organization_id=organization.id, event=other),
        BadRequestError,
    )
    export = step(
        "audit logs: an export",
        lambda: api.create_export(
            organization_id=organization.id,
            range_start=(now - timedelta(days=1)).isoformat(),
            range_end=(now + timedelta(days=1)).isoformat(),
        ),
    )
    step("audit logs: the work is done", lambda: local("idle?wait_ms=30000"))
    ready = step("audit logs: read the export", lambda: api.get_export(export.id))
    step("audit logs: it is ready", lambda: equals(ready.state, "ready"))
    rows = step("audit logs: its CSV", lambda: downloaded(ready.url))
    step("audit logs: one row", lambda: equals(len(rows), 2))
    step("audit logs: the row's action", lambda: must("document.read" in rows[1]))
    step(
        "audit logs: keep for 60 days",
        lambda: equals(
            api.update_organization_audit_logs_retention(
                organization.id, retention=RetentionPeriodInDays(retention_period_in_days=60)
            ).retention_period_in_days,
            60,
        ),
    )
    step(
        "audit logs: retention",
        lambda: equals(api.get_organization_audit_logs_retention(organization.id).retention_period_in_days, 60),
    )


def downloaded(url: str) -> list[list[str]]:
    with urllib.request.urlopen(url, timeout=30) as response:
        return list(csv.reader(io.StringIO(response.read().decode())))


def third_party(slug: str) -> None:
    """Makes an integration of a provider on loopback, and registers where its users come back to."""
    client.user_management.create_redirect_uri(uri=f"{RETURN_TO}/{slug}")
    client.pipes.create_data_integration(
        provider=slug,
        enabled=True,
        scopes=["read"],
        credentials=DataIntegrationCredentialsInput(
            type=DataIntegrationCredentialsInputType.CUSTOM, client_id="id", client_secret="third-party-secret"
        ),
        custom_provider=CustomProviderDefinition(
            name="Third Party",
            authorization_url=f"{OUTSIDE}/provider/authorize",
            token_url=f"{OUTSIDE}/provider/token",
        ),
    )


def pipes() -> None:
    api = client.pipes
    user = step("pipes: a user", new_user)
    made = step("pipes: an integration with API keys", lambda: api.create_data_integration(provider="datadog", auth_methods=["api_key"], enabled=True))
    step("pipes: read", lambda: equals(api.get_data_integration("datadog").id, made.id))
    step("pipes: list", lambda: must(made.id in [one.id for one in api.list_data_integrations()]))
    account = step(
        "pipes: a key of the user",
        lambda: api.update_data_integration_api_key("datadog", user_id=user.id, secret="dd-secret-😀-1234"),
    )
    step("pipes: its last four", lambda: equals(account.api_key_last_4, "1234"))
    vended = step("pipes: credentials", lambda: api.create_data_integration_credential("datadog", user_id=user.id))
    step("pipes: the key", lambda: equals(vended.credential.value, "dd-secret-😀-1234"))
    step("pipes: the connected account", lambda: equals(api.get_user_connected_account(user.id, "datadog").id, account.id))
    step(
        "pipes: providers of the user",
        lambda: must("datadog" in [one.slug for one in api.list_user_data_providers(user.id).data]),
    )
    step("pipes: disconnect", lambda: api.delete_user_connected_account(user.id, "datadog"))
    rejected("pipes: a disconnected one", lambda: api.get_user_connected_account(user.id, "datadog"), NotFoundError)
    step("pipes: an OAuth provider", lambda: third_party("python-oauth"))
    started = step(
        "pipes: authorize",
        lambda: api.authorize_data_integration("python-oauth", user_id=user.id, return_to=f"{RETURN_TO}/python-oauth"),
    )
    location = step("pipes: the user agrees", lambda: outside("/visit", {"url": started.url})["location"])
    step("pipes: the user is back", lambda: equals(location.split("?")[0], f"{RETURN_TO}/python-oauth"))
    step("pipes: without an error", lambda: must("error=" not in location, location))
    token = step("pipes: a token", lambda: api.get_access_token("python-oauth", user_id=user.id))
    step("pipes: the provider's token", lambda: equals(token.access_token.access_token, "token-for-agreed"))
    step("pipes: delete", lambda: api.delete_data_integration("datadog"))


def pipes_finish() -> None:
    api = client.pipes
    user = step("pipes with PKCE: a user", new_user)
    step("pipes with PKCE: an OAuth provider", lambda: third_party("python-finish"))
    pair = PKCE().generate()
    started = step(
        "pipes with PKCE: authorize",
        lambda: api.authorize_data_integration(
            "python-finish",
            user_id=user.id,
            return_to=f"{RETURN_TO}/python-finish",
            code_challenge=pair.code_challenge,
            code_challenge_method="S256",
        ),
    )
    step("pipes with PKCE: is to be finished", lambda: equals(started.completion, "finish_required"))
    location = step("pipes with PKCE: the user agrees", lambda: outside("/visit", {"url": started.url})["location"])
    step("pipes with PKCE: the state comes back", lambda: must(f"state={started.state}" in location, location))
    rejected("pipes with PKCE: no account yet", lambda: api.get_user_connected_account(user.id, "python-finish"), NotFoundError)
    code = step("pipes with PKCE: the connect code", lambda: location.split("connect_code=")[1].split("&")[0])
    finished = step(
        "pipes with PKCE: finish",
        lambda: api.finish_connection(connect_code=code, code_verifier=pair.code_verifier, state=started.state),
    )
    step(
        "pipes with PKCE: the account",
        lambda: equals(api.get_user_connected_account(user.id, "python-finish").id, finished.connected_account.id),
    )


def webhooks() -> None:
    api = client.webhooks
    made = step(
        "webhooks: create",
        lambda: api.create_webhook_endpoint(endpoint_url=f"{OUTSIDE}/hooks/python", events=["organization.created"]),
    )
    step("webhooks: list", lambda: must(made.id in [one.id for one in api.list_webhook_endpoints()]))
    rejected(
        "webhooks: an unknown event",
        lambda: api.update_webhook_endpoint(made.id, events=["no.such"]),
        UnprocessableEntityError,
    )
    organization = step("webhooks: something happens", lambda: new_organization("Rocket 🚀"))
    (arrival,) = step("webhooks: it arrives", lambda: outside("/arrivals/python?count=1"))
    signature = step("webhooks: the header that examples read", lambda: arrival["headers"]["workos-signature"])
    event = step(
        "webhooks: verified",
        lambda: api.verify_event(event_body=arrival["body"], event_signature=signature, secret=made.secret),
    )
    step("webhooks: the event's record", lambda: equals(event.data.id, organization.id))
    rejected(
        "webhooks: a changed body",
        lambda: api.verify_event(event_body=arrival["body"] + " ", event_signature=signature, secret=made.secret),
        ValueError,
    )
    step("webhooks: disable", lambda: equals(api.update_webhook_endpoint(made.id, status="disabled").status, "disabled"))
    step("webhooks: delete", lambda: api.delete_webhook_endpoint(made.id))
    step("webhooks: it is gone", lambda: must(made.id not in [one.id for one in api.list_webhook_endpoints()]))


def events() -> None:
    names = ["organization.created", "user.created"]
    step("events: the work is done", lambda: local("idle?wait_ms=30000"))
    total = len(client.organizations.list_organizations(limit=100).data)
    first = step("events: a first page, oldest first", lambda: client.events.list_events(events=names, limit=10))
    every = step("events: to the end", lambda: list(first.auto_paging_iter()))
    created = [one for one in every if one.event == "organization.created"]
    step("events: none is left out", lambda: must(len(created) >= total >= 30, f"{len(created)} of {total}"))
    step("events: none comes twice", lambda: equals(len({one.id for one in every}), len(every)))
    step("events: in their order", lambda: equals(every, sorted(every, key=lambda one: one.created_at)))
    newest = step("events: newest first", lambda: client.events.list_events(events=names, limit=10, order="desc"))
    step("events: to the end, newest first", lambda: equals(len(list(newest.auto_paging_iter())), len(every)))
    rejected("events: without names", lambda: client.events.list_events(events=[]), UnprocessableEntityError)

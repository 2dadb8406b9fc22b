"""Organizations, users, memberships, invitations and API keys."""

import uuid
from datetime import datetime, timedelta, timezone

from steps import PASSWORD, client, equals, must, rejected, step
from workos._errors import BadRequestError, ConflictError, NotFoundError, UnprocessableEntityError
from workos.common.models import OrganizationDomainDataState
from workos.organization_membership import RoleSingle
from workos.organizations.models import OrganizationDomainData
from workos.user_management import PasswordPlaintext


def new_email() -> str:
    return f"{uuid.uuid4().hex}@python.example"


def new_organization(name: str = "Acme"):
    return client.organizations.create_organization(name=name)


def new_user(email: str | None = None):
    """Makes a user with a password and a proved address."""
    return client.user_management.create_user(
        email=email or new_email(),
        email_verified=True,
        password=PasswordPlaintext(password=PASSWORD),
    )


def organizations() -> None:
    api = client.organizations
    made = step(
        "organizations: create",
        lambda: api.create_organization(
            name="Acme",
            external_id="acme",
            metadata={"plan": "enterprise"},
            domain_data=[OrganizationDomainData(domain="acme.example", state=OrganizationDomainDataState.VERIFIED)],
        ),
    )
    step("organizations: read", lambda: equals(api.get_organization(made.id).metadata, {"plan": "enterprise"}))
    step("organizations: found by external id", lambda: equals(api.get_organization_by_external_id("acme").id, made.id))
    step("organizations: update", lambda: equals(api.update_organization(made.id, name="Acme Two").name, "Acme Two"))
    step("organizations: update keeps the rest", lambda: equals(api.get_organization(made.id).external_id, "acme"))
    step("organizations: null clears the external id", lambda: equals(clear_external_id(made.id), None))
    domain = step(
        "organizations: a domain",
        lambda: client.organization_domains.create_organization_domain(
            domain="acme-python.example", organization_id=made.id
        ),
    )
    step(
        "organizations: the domain is read",
        lambda: equals(client.organization_domains.get_organization_domain(domain.id).organization_id, made.id),
    )
    step("organizations: list", lambda: must(made.id in [one.id for one in api.list_organizations(limit=100).data]))
    step("organizations: search", lambda: equals([one.id for one in api.list_organizations(search="Acme Two")], [made.id]))
    rejected("organizations: an unknown id", lambda: api.get_organization("org_missing"), NotFoundError)
    rejected(
        "organizations: no name", lambda: api.create_organization(name=""), UnprocessableEntityError
    )
    key = str(uuid.uuid4())
    step(
        "organizations: the same idempotency key gives the same record",
        lambda: equals(*[api.create_organization(name="Once", request_options={"idempotency_key": key}).id for _ in "12"]),
    )
    rejected(
        "organizations: an idempotency key with another body",
        lambda: api.create_organization(name="Twice", request_options={"idempotency_key": key}),
        ConflictError,
    )
    step("organizations: delete", lambda: api.delete_organization(made.id))
    rejected("organizations: a deleted one", lambda: api.get_organization(made.id), NotFoundError)


def clear_external_id(organization_id: str) -> str | None:
    return client.organizations.update_organization(organization_id, external_id=None).external_id


def users() -> None:
    api = client.user_management
    email = new_email()
    made = step(
        "users: create",
        lambda: api.create_user(email=email, first_name="Ada", metadata={"team": "a"}, external_id=f"ext-{email}"),
    )
    step("users: read", lambda: equals(api.get_user(made.id).first_name, "Ada"))
    step("users: found by external id", lambda: equals(api.get_user_by_external_id(f"ext-{email}").id, made.id))
    step("users: found by address", lambda: equals([one.id for one in api.list_users(email=email)], [made.id]))
    step("users: update", lambda: equals(api.update_user(made.id, last_name="Lovelace").last_name, "Lovelace"))
    step("users: metadata is replaced", lambda: equals(api.update_user(made.id, metadata={"b": "c"}).metadata, {"b": "c"}))
    error = rejected("users: an address that is taken", lambda: api.create_user(email=email), BadRequestError)
    step("users: the error carries a request id", lambda: must(error.request_id))
    wrong = rejected("users: an address that is none", lambda: api.create_user(email="nobody"), UnprocessableEntityError)
    step("users: the error names the member", lambda: must("email" in str(wrong.errors) + str(wrong), repr(wrong.errors)))
    change = step("users: a change of address", lambda: api.send_email_change(made.id, new_email=f"new-{email}"))
    step("users: the change names the new address", lambda: equals(change.new_email, f"new-{email}"))
    sent = step("users: verification mail", lambda: api.send_verification_email(made.id))
    step("users: the mail's user", lambda: equals(sent.user.id, made.id))
    step("users: identities", lambda: equals(list(api.get_user_identities(made.id)), []))
    step("users: delete", lambda: api.delete_user(made.id))
    rejected("users: a deleted one", lambda: api.get_user(made.id), NotFoundError)


def memberships() -> None:
    api = client.organization_membership
    organization, user = step("memberships: an organization and a user", lambda: (new_organization(), new_user()))
    made = step(
        "memberships: create",
        lambda: api.create_organization_membership(
            user_id=user.id, organization_id=organization.id, role=RoleSingle(role_slug="admin")
        ),
    )
    step("memberships: read", lambda: equals(api.get_organization_membership(made.id).role.slug, "admin"))
    step(
        "memberships: list",
        lambda: equals([one.id for one in api.list_organization_memberships(user_id=user.id)], [made.id]),
    )
    step(
        "memberships: update",
        lambda: equals(api.update_organization_membership(made.id, role=RoleSingle(role_slug="member")).role.slug, "member"),
    )
    step("memberships: deactivate", lambda: equals(api.deactivate_organization_membership(made.id).status, "inactive"))
    step("memberships: reactivate", lambda: equals(api.reactivate_organization_membership(made.id).status, "active"))
    rejected(
        "memberships: twice",
        lambda: api.create_organization_membership(user_id=user.id, organization_id=organization.id),
        BadRequestError,
    )
    step(
        "memberships: users of an organization",
        lambda: equals([one.id for one in client.user_management.list_users(organization_id=organization.id)], [user.id]),
    )
    step("memberships: delete", lambda: api.delete_organization_membership(made.id))
    rejected("memberships: a deleted one", lambda: api.get_organization_membership(made.id), NotFoundError)


def invitations() -> None:
    api = client.user_management
    organization, inviter = step("invitations: an inviter", lambda: (new_organization(), new_user()))
    email = new_email()
    made = step(
        "invitations: send",
        lambda: api.send_invitation(email=email, organization_id=organization.id, inviter_user_id=inviter.id),
    )
    step("invitations: read", lambda: equals(api.get_invitation(made.id).state, "pending"))
    step("invitations: found by token", lambda: equals(api.find_invitation_by_token(made.token).id, made.id))
    step("invitations: list", lambda: equals([one.id for one in api.list_invitations(email=email)], [made.id]))
    step("invitations: resend", lambda: equals(api.resend_invitation(made.id).id, made.id))
    user = step("invitations: the invited user", lambda: new_user(email))
    step("invitations: accept", lambda: equals(api.accept_invitation(made.id).accepted_user_id, user.id))
    other = step("invitations: another", lambda: api.send_invitation(email=new_email()))
    step("invitations: revoke", lambda: equals(api.revoke_invitation(other.id).state, "revoked"))
    rejected("invitations: an unknown token", lambda: api.find_invitation_by_token("missing"), NotFoundError)


def api_keys() -> None:
    organization, user = step("API keys: owners", lambda: (new_organization(), new_user()))
    step(
        "API keys: the user's membership",
        lambda: client.organization_membership.create_organization_membership(
            user_id=user.id, organization_id=organization.id
        ),
    )
    api = client.api_keys
    in_an_hour = datetime.now(timezone.utc) + timedelta(hours=1)
    made = step(
        "API keys: create",
        lambda: api.create_organization_api_key(organization.id, name="Build", expires_at=in_an_hour.isoformat()),
    )
    step("API keys: validate", lambda: equals(api.create_validation(value=made.value).api_key.id, made.id))
    step("API keys: an unknown value", lambda: equals(api.create_validation(value="sk_unknown").api_key, None))
    step(
        "API keys: list",
        lambda: equals([one.id for one in api.list_organization_api_keys(organization.id)], [made.id]),
    )
    own = step(
        "API keys: of a user",
        lambda: client.user_management.create_user_api_key(user.id, name="Own", organization_id=organization.id),
    )
    step("API keys: the user's owner", lambda: equals(own.owner.id, user.id))
    step(
        "API keys: list of a user",
        lambda: equals([one.id for one in client.user_management.list_user_api_keys(user.id)], [own.id]),
    )
    step("API keys: expire", lambda: api.create_api_key_expire(own.id))
    step("API keys: an expired one", lambda: equals(api.create_validation(value=own.value).api_key, None))
    step("API keys: delete", lambda: api.delete_api_key(made.id))
    step("API keys: a deleted one", lambda: equals(api.create_validation(value=made.value).api_key, None))

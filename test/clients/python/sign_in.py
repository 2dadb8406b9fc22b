"""Authentication in each way that the client has, sessions, second factors, and lists read to their end."""

from urllib.parse import parse_qs, urlsplit

from cryptography.fernet import Fernet

from accounts import new_email, new_organization, new_user
from steps import BASE_URL, CLIENT_ID, PASSWORD, REDIRECT_URI, client, equals, local, must, outside, rejected, step
from workos import WorkOSClient
from workos._errors import (
    AuthenticationError,
    BadRequestError,
    EmailVerificationRequiredError,
    MfaChallengeError,
    OrganizationSelectionRequiredError,
)
from workos.session import seal_session_from_auth_response
from workos.user_management import PasswordPlaintext

api = client.user_management


def with_password(email: str, password: str = PASSWORD):
    return api.authenticate_with_password(email=email, password=password)


def authentication() -> None:
    email = new_email()
    user = step("authentication: a user with a password", lambda: new_user(email))
    step("authentication: by password", lambda: equals(with_password(email).user.id, user.id))
    rejected("authentication: a wrong password", lambda: with_password(email, "wrong"), BadRequestError)
    magic = step("authentication: a magic code", lambda: api.create_magic_auth(email=email))
    step(
        "authentication: by magic code",
        lambda: equals(api.authenticate_with_magic_auth(code=magic.code, email=email).user.id, user.id),
    )
    rejected(
        "authentication: a magic code twice",
        lambda: api.authenticate_with_magic_auth(code=magic.code, email=email),
        BadRequestError,
    )
    reset = step("authentication: a password reset", lambda: api.reset_password(email=email))
    new_password = "crimson kites at dusk"
    step(
        "authentication: a new password by its token",
        lambda: equals(
            api.confirm_password_reset(token=reset.password_reset_token, new_password=new_password).user.id, user.id
        ),
    )
    step("authentication: by the new password", lambda: equals(with_password(email, new_password).user.id, user.id))
    verification()
    organization_selection()
    stranger = WorkOSClient(api_key="sk_unknown", client_id=CLIENT_ID, base_url=BASE_URL, max_retries=0)
    rejected("authentication: an unknown API key", lambda: stranger.user_management.list_users(), AuthenticationError)


def mailed_code(email: str) -> str:
    """The code of the mail that was sent last to an address."""
    local("idle?wait_ms=30000")
    return local(f"messages?to={email}")["data"][0]["code"]


def verification() -> None:
    email = new_email()
    step(
        "authentication: a user whose address is not proved",
        lambda: api.create_user(email=email, password=PasswordPlaintext(password=PASSWORD)),
    )
    error = rejected(
        "authentication: the address is to be proved first", lambda: with_password(email), EmailVerificationRequiredError
    )
    step("authentication: the error's code", lambda: equals(error.code, "email_verification_required"))
    code = step("authentication: the mailed code", lambda: mailed_code(email))
    signed_in = step(
        "authentication: by the mailed code",
        lambda: api.authenticate_with_email_verification(
            code=code, pending_authentication_token=error.pending_authentication_token
        ),
    )
    step("authentication: the address is proved now", lambda: equals(signed_in.user.email_verified, True))


def organization_selection() -> None:
    email = new_email()
    user, first, second = step(
        "authentication: a user of two organizations", lambda: (new_user(email), new_organization(), new_organization())
    )
    for organization in (first, second):
        step(
            "authentication: a membership",
            lambda organization=organization: client.organization_membership.create_organization_membership(
                user_id=user.id, organization_id=organization.id
            ),
        )
    error = rejected(
        "authentication: an organization is to be chosen", lambda: with_password(email), OrganizationSelectionRequiredError
    )
    step("authentication: both are offered", lambda: equals({one["id"] for one in error.organizations}, {first.id, second.id}))
    chosen = step(
        "authentication: by choosing one",
        lambda: api.authenticate_with_organization_selection(
            pending_authentication_token=error.pending_authentication_token, organization_id=first.id
        ),
    )
    step("authentication: the chosen one", lambda: equals(chosen.organization_id, first.id))
    other = step(
        "authentication: a refresh changes the organization",
        lambda: api.authenticate_with_refresh_token(refresh_token=chosen.refresh_token, organization_id=second.id),
    )
    step("authentication: the other one", lambda: equals(other.organization_id, second.id))


def code_of(url: str, state: str, email: str) -> str:
    """Has a person sign in on the hosted pages."""
    location = outside("/sign-in", {"url": url, "email": email, "password": PASSWORD})["location"]
    query = parse_qs(urlsplit(location).query)
    equals(query["state"], [state])
    return query["code"][0]


def browser_sign_in() -> None:
    email = new_email()
    user = step("hosted pages: a user", lambda: new_user(email))
    uri = step("hosted pages: a redirect URI", lambda: api.create_redirect_uri(uri=REDIRECT_URI))
    step("hosted pages: the redirect URI is listed", lambda: must(uri.id in [one.id for one in api.list_redirect_uris()]))
    url = step(
        "hosted pages: the address of sign-in",
        lambda: api.get_authorization_url(
            provider="authkit", redirect_uri=REDIRECT_URI, state="s1", client_id=CLIENT_ID
        ),
    )
    code = step("hosted pages: a person signs in", lambda: code_of(url, "s1", email))
    step("hosted pages: the code is exchanged", lambda: equals(api.authenticate_with_code(code=code).user.id, user.id))
    twice = rejected("hosted pages: a code twice", lambda: api.authenticate_with_code(code=code), BadRequestError)
    step("hosted pages: the error's name", lambda: equals(twice.error, "invalid_grant"))
    public = WorkOSClient(client_id=CLIENT_ID, base_url=BASE_URL, is_public=True, max_retries=0)
    started = step(
        "hosted pages: a public client with PKCE",
        lambda: public.user_management.get_authorization_url_with_pkce(provider="authkit", redirect_uri=REDIRECT_URI),
    )
    proved = step("hosted pages: a person signs in there", lambda: code_of(started["url"], started["state"], email))
    step(
        "hosted pages: the code is exchanged with the verifier",
        lambda: equals(
            public.user_management.authenticate_with_code_pkce(
                code=proved, code_verifier=started["code_verifier"]
            ).user.id,
            user.id,
        ),
    )
    origin = step("hosted pages: a CORS origin", lambda: api.create_cors_origin(origin="https://spa.example.com"))
    step("hosted pages: it is listed", lambda: must(origin.id in [one.id for one in api.list_cors_origins()]))


def sessions() -> None:
    email = new_email()
    user = step("sessions: a user", lambda: new_user(email))
    signed_in = step("sessions: sign-in", lambda: with_password(email))
    (session,) = step("sessions: list", lambda: list(api.list_sessions(user.id)))
    step("sessions: an active one", lambda: equals(session.status, "active"))
    fresh = step(
        "sessions: refresh", lambda: api.authenticate_with_refresh_token(refresh_token=signed_in.refresh_token)
    )
    step("sessions: the token moves on", lambda: must(fresh.refresh_token != signed_in.refresh_token))
    step("sessions: the keys that sign tokens", lambda: must(len(api.get_jwks(CLIENT_ID).keys) > 0))
    step("sessions: the logout address", lambda: must(session.id in api.get_logout_url(session_id=session.id)))
    step("sessions: revoke", lambda: api.revoke_session(session_id=session.id))
    error = rejected(
        "sessions: a revoked one",
        lambda: api.authenticate_with_refresh_token(refresh_token=fresh.refresh_token),
        BadRequestError,
    )
    step("sessions: the error's name", lambda: equals(error.error, "invalid_grant"))


def sealed_session() -> None:
    email = new_email()
    step("sealed session: a user", lambda: new_user(email))
    signed_in = step("sealed session: sign-in", lambda: with_password(email))
    cookie_password = Fernet.generate_key().decode()
    sealed = step(
        "sealed session: seal",
        lambda: seal_session_from_auth_response(
            access_token=signed_in.access_token,
            refresh_token=signed_in.refresh_token,
            user=signed_in.user.to_dict(),
            cookie_password=cookie_password,
        ),
    )
    strict = WorkOSClient(
        api_key=client._api_key,
        client_id=CLIENT_ID,
        base_url=BASE_URL,
        jwt_issuer=f"{BASE_URL}/user_management/{CLIENT_ID}",
    )
    session = strict.user_management.load_sealed_session(session_data=sealed, cookie_password=cookie_password)
    step("sealed session: authenticate", lambda: equals(session.authenticate().authenticated, True))
    refreshed = step("sealed session: refresh", session.refresh)
    step("sealed session: refreshed", lambda: equals(refreshed.authenticated, True))
    step("sealed session: the refreshed one", lambda: equals(session.authenticate().session_id, refreshed.session_id))
    step(
        "sealed session: a tampered one",
        lambda: equals(
            strict.user_management.authenticate_with_session_cookie(
                session_data=sealed[:-8] + "AAAAAAAA", cookie_password=cookie_password
            ).authenticated,
            False,
        ),
    )


def mfa() -> None:
    email = new_email()
    user = step("MFA: a user", lambda: new_user(email))
    factors = client.multi_factor_auth
    enrolled = step(
        "MFA: enroll an authenticator app",
        lambda: factors.create_user_auth_factor(user.id, type="totp", totp_issuer="Acme", totp_user=email),
    )
    secret = enrolled.authentication_factor.totp.secret
    code = step("MFA: the app's code", lambda: outside("/totp", {"secret": secret})["code"])
    step(
        "MFA: prove it",
        lambda: equals(factors.verify_challenge(enrolled.authentication_challenge.id, code=code).valid, True),
    )
    step(
        "MFA: the user's factors",
        lambda: equals([one.id for one in factors.list_user_auth_factors(user.id)], [enrolled.authentication_factor.id]),
    )
    error = rejected("MFA: sign-in asks for it", lambda: with_password(email), MfaChallengeError)
    factor = step("MFA: the error names the factor", lambda: error.authentication_factors[0]["id"])
    challenge = step("MFA: challenge", lambda: factors.challenge_factor(factor))
    step("MFA: the next code", lambda: local("clock", {"advance_seconds": 30}))
    step(
        "MFA: sign-in with the code",
        lambda: equals(
            api.authenticate_with_totp(
                code=outside("/totp", {"secret": secret, "in_seconds": 30})["code"],
                pending_authentication_token=error.pending_authentication_token,
                authentication_challenge_id=challenge.id,
            ).user.id,
            user.id,
        ),
    )
    single = step("MFA: a factor without a user", lambda: factors.enroll_factor(type="sms", phone_number="+14155550123"))
    step("MFA: challenge by SMS", lambda: factors.challenge_factor(single.id, sms_template="Code: {{code}}"))
    step("MFA: read", lambda: equals(factors.get_factor(single.id).type, "sms"))
    step("MFA: delete", lambda: factors.delete_factor(single.id))


def pages_of_lists() -> None:
    for number in range(25):
        client.organizations.create_organization(name=f"Page {number}")
    first = step("lists: a first page", lambda: client.organizations.list_organizations(limit=10, search="Page "))
    step("lists: to the end", lambda: equals(len({one.id for one in first.auto_paging_iter()}), 25))
    second = step(
        "lists: the next page", lambda: client.organizations.list_organizations(limit=10, search="Page ", after=first.after)
    )
    back = step(
        "lists: and back",
        lambda: client.organizations.list_organizations(limit=10, search="Page ", before=second.before),
    )
    step("lists: is the first", lambda: equals([one.id for one in back.data], [one.id for one in first.data]))

"""An application with Authlib, which finds the authorization server, signs users in, refreshes and revokes."""

import os
import uuid
from typing import Any

from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc6749.errors import MismatchingStateException
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet
from play import API_KEY, BASE_URL, CLIENT_ID, PASSWORD, AreaStopped, equals, fetched, must, outside, rejected, step

# The service of a test has no TLS, which Authlib requires of every address.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

ISSUER = f"{BASE_URL}/user_management/{CLIENT_ID}"
REDIRECT_URI = "https://reports.example.org/callback"
SCOPE = "openid profile email offline_access"
VERIFIER = "authlib-" + "v" * 48


def api(path: str, body: dict[str, Any]) -> Any:
    """Calls the API with the environment's key."""
    return fetched(f"{BASE_URL}{path}", body, {"authorization": f"Bearer {API_KEY}"})


def new_user() -> tuple[str, str]:
    """Returns the id and the address of a new user with a password."""
    email = f"{uuid.uuid4().hex}@python.example"
    user = api("/user_management/users", {"email": email, "password": PASSWORD, "email_verified": True})
    return user["id"], email


def new_application(kind: str = "oauth", secret: bool = True) -> dict[str, str]:
    """Returns the credentials of a new third-party application in the form that Authlib expects."""
    organization = api("/organizations", {"name": "Vendor"})
    body = {"name": "Reports", "application_type": kind, "organization_id": organization["id"]}
    if kind == "oauth":
        body |= {"is_first_party": False, "redirect_uris": [{"uri": REDIRECT_URI}]}
    made = api("/connect/applications", body)
    if not secret:
        return {"client_id": made["client_id"], "token_endpoint_auth_method": "none"}
    value = api(f"/connect/applications/{made['id']}/client_secrets", {})["secret"]
    return {"client_id": made["client_id"], "client_secret": value}


def discovered() -> dict[str, Any]:
    """Returns the server's metadata, which must name the issuer that it was found by."""
    metadata = fetched(f"{ISSUER}/.well-known/openid-configuration")
    equals(metadata["issuer"], ISSUER)
    must("S256" in metadata["code_challenge_methods_supported"])
    return metadata


def new_session(credentials: dict[str, str]) -> OAuth2Session:
    return OAuth2Session(**credentials, redirect_uri=REDIRECT_URI, scope=SCOPE, code_challenge_method="S256")


def signed_in(session: OAuth2Session, metadata: dict[str, Any], email: str, nonce: str) -> tuple[str, str]:
    """Signs a user in and gives consent. Returns the address of the response, and the state that was sent."""
    url, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=VERIFIER, nonce=nonce
    )
    return outside("/sign-in", {"url": url, "email": email, "password": PASSWORD})["location"], state


def exchanged(session: OAuth2Session, metadata: dict[str, Any], received: str, **more: str) -> dict[str, Any]:
    """Exchanges the code of a response."""
    return session.fetch_token(
        metadata["token_endpoint"], authorization_response=received, **{"code_verifier": VERIFIER, **more}
    )


def claims_of(tokens: dict[str, Any], metadata: dict[str, Any], client_id: str, nonce: str) -> CodeIDToken:
    """Verifies an ID token by the keys of the metadata and by Authlib's rules for its claims."""
    decoded = jwt.decode(tokens["id_token"], KeySet.import_key_set(fetched(metadata["jwks_uri"])), algorithms=["RS256"])
    options = {"iss": {"value": ISSUER}, "aud": {"value": client_id}}
    claims = CodeIDToken(decoded.claims, decoded.header, options, {"client_id": client_id, "nonce": nonce})
    claims.validate()
    return claims


def sign_in(kind: str, credentials: dict[str, str], metadata: dict[str, Any]) -> None:
    """Plays one application from its authorization request to the rejection of its revoked refresh token."""
    user_id, email = new_user()
    nonce = uuid.uuid4().hex
    session = new_session(credentials)
    received, state = step(f"{kind}: the user signs in", lambda: signed_in(session, metadata, email, nonce))
    rejected(
        f"{kind}: a response with another state is rejected by Authlib",
        lambda: exchanged(session, metadata, received, state="another"),
        MismatchingStateException,
    )
    tokens = step(f"{kind}: a code is exchanged", lambda: exchanged(session, metadata, received, state=state))
    client_id = credentials["client_id"]
    claims = step(f"{kind}: the ID token is valid", lambda: claims_of(tokens, metadata, client_id, nonce))
    step(f"{kind}: the ID token is about the user", lambda: equals(claims["sub"], user_id))
    step(
        f"{kind}: userinfo",
        lambda: equals(session.get(metadata["userinfo_endpoint"]).json()["email"], email),
    )
    renewed = step(
        f"{kind}: a refresh",
        lambda: session.refresh_token(metadata["token_endpoint"], refresh_token=tokens["refresh_token"]),
    )
    step(f"{kind}: a refresh gives another access token", lambda: must(renewed["access_token"] != tokens["access_token"]))
    step(
        f"{kind}: the revocation of the refresh token",
        lambda: equals(
            session.revoke_token(
                metadata["revocation_endpoint"], token=renewed["refresh_token"], token_type_hint="refresh_token"
            ).status_code,
            200,
        ),
    )
    step(
        f"{kind}: userinfo rejects the access token of the revoked grant",
        lambda: equals(session.get(metadata["userinfo_endpoint"]).status_code, 401),
    )
    error = rejected(
        f"{kind}: a refresh after the revocation is rejected",
        lambda: session.refresh_token(metadata["token_endpoint"], refresh_token=renewed["refresh_token"]),
        OAuthError,
    )
    step(f"{kind}: the error of that refresh", lambda: equals(error.error, "invalid_grant"))


def wrong_verifier(metadata: dict[str, Any]) -> None:
    _, email = new_user()
    session = new_session(new_application(secret=False))
    received, state = step("PKCE: the user signs in", lambda: signed_in(session, metadata, email, "n"))
    error = rejected(
        "PKCE: a code with another verifier is rejected",
        lambda: exchanged(session, metadata, received, state=state, code_verifier="w" * 48),
        OAuthError,
    )
    step("PKCE: the error of that exchange", lambda: equals(error.error, "invalid_grant"))


def machine(metadata: dict[str, Any]) -> None:
    session = OAuth2Session(**step("machine: credentials", lambda: new_application("m2m")))
    token = step(
        "machine: a token",
        lambda: session.fetch_token(metadata["token_endpoint"], grant_type="client_credentials"),
    )
    state = step(
        "machine: introspection",
        lambda: session.introspect_token(metadata["introspection_endpoint"], token=token["access_token"]).json(),
    )
    step("machine: the token is active", lambda: equals(state["active"], True))
    stranger = OAuth2Session(client_id=session.client_id, client_secret="wrong")
    error = rejected(
        "machine: a wrong secret is rejected",
        lambda: stranger.fetch_token(metadata["token_endpoint"], grant_type="client_credentials"),
        OAuthError,
    )
    step("machine: the error of a wrong secret", lambda: equals(error.error, "invalid_client"))


def registered(metadata: dict[str, Any]) -> dict[str, str]:
    """Returns the credentials of an application that registered itself."""
    made = fetched(metadata["registration_endpoint"], {"redirect_uris": [REDIRECT_URI], "client_name": "Notes"})
    return {name: made[name] for name in ("client_id", "client_secret", "token_endpoint_auth_method")}


def main() -> None:
    metadata = step("discovery: the metadata", discovered)
    basic, public = new_application(), new_application(secret=False)
    areas = [
        lambda: sign_in("Basic", basic, metadata),
        lambda: sign_in("form", {**new_application(), "token_endpoint_auth_method": "client_secret_post"}, metadata),
        lambda: sign_in("public", public, metadata),
        lambda: sign_in("registered", step("registration", lambda: registered(metadata)), metadata),
        lambda: wrong_verifier(metadata),
        lambda: machine(metadata),
    ]
    for area in areas:
        try:
            area()
        except AreaStopped:
            pass
    print('{"end": true}', flush=True)


main()

"""One flow for each area with the official Python client, unmodified, against a service that is running."""

import json

from accounts import api_keys, invitations, memberships, organizations, users
from data import audit_logs, events, pipes, pipes_finish, vault, webhooks
from sign_in import authentication, browser_sign_in, mfa, pages_of_lists, sealed_session, sessions
from steps import AreaStopped

AREAS = [
    organizations,
    users,
    memberships,
    invitations,
    authentication,
    browser_sign_in,
    sessions,
    sealed_session,
    mfa,
    api_keys,
    vault,
    audit_logs,
    pipes,
    pipes_finish,
    webhooks,
    pages_of_lists,
    events,
]

for area in AREAS:
    try:
        area()
    except AreaStopped:
        pass
print(json.dumps({"end": True}))

"""The client under test, with the steps that its flows play."""

from play import (  # noqa: F401
    API_KEY,
    BASE_URL,
    CLIENT_ID,
    OUTSIDE,
    PASSWORD,
    AreaStopped,
    equals,
    fetched,
    local,
    must,
    outside,
    rejected,
    step,
    unexpected,
)
from workos import WorkOSClient

REDIRECT_URI = "https://app.example.com/callback"

client = WorkOSClient(api_key=API_KEY, client_id=CLIENT_ID, base_url=BASE_URL, max_retries=0)

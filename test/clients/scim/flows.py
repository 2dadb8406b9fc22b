"""Has scim2-tester check the SCIM address of a new directory, and prints each of its checks as a step."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

BASE_URL = os.environ["GATEHOUSE_BASE_URL"]
API_KEY = os.environ["GATEHOUSE_API_KEY"]

VERDICT = re.compile(r"^(SUCCESS|COMPLIANT|ACCEPTABLE|DEVIATION|ERROR|CRITICAL|SKIPPED) (\S+)$")
FAILURES = {"DEVIATION", "ERROR", "CRITICAL"}


def create(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Creates a record through the API."""
    headers = {"authorization": f"Bearer {API_KEY}", "content-type": "application/json"}
    request = urllib.request.Request(f"{BASE_URL}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


organization = create("/organizations", {"name": "Acme"})
directory = create("/x/directories", {"organization_id": organization["id"], "name": "Checked"})
token = create(f"/x/directories/{directory['id']}/tokens", {})["value"]
address = f"{BASE_URL}/scim/v2.0/{directory['external_key']}"
program = Path(sys.executable).with_name("scim2")
command = [program, "--url", address, "-h", f"Authorization: Bearer {token}", "test"]
ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

lines = ended.stdout.splitlines()
for at, line in enumerate(lines):
    found = VERDICT.match(line.strip())
    if found is None:
        continue
    verdict, name = found.groups()
    text = lines[at + 1].strip() if at + 1 < len(lines) else ""
    print(json.dumps({"step": f"{name}: {text}", "ok": verdict not in FAILURES, "why": f"{verdict} {text}"}), flush=True)
if ended.returncode == 0:
    print(json.dumps({"end": True}), flush=True)
else:
    sys.exit(ended.stderr[-2_000:])

"""What schemathesis is told of the service (SCHEMATHESIS_HOOKS)."""

from typing import Any
from urllib.parse import unquote

import schemathesis


@schemathesis.hook
def filter_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> bool:
    """Leaves out ids with a question mark or a slash: API Gateway decodes a path first, so they name another path."""
    # Some phases hand in values that are encoded already.
    return not any(mark in unquote(str(value)) for value in (path_parameters or {}).values() for mark in "?/")


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Adds the responses that a header causes to the others: a generated call may send the header."""
    for path in raw_schema["paths"].values():
        for operation in path.values():
            caused = operation.get("x-caused-by-header") if isinstance(operation, dict) else None
            if caused is None:
                continue
            own = operation["responses"].setdefault("200", {key: caused[key] for key in caused if key != "name"})
            for media_type, content in own.get("content", {}).items():
                other = caused["content"][media_type]["schema"]
                if content["schema"] != other:
                    content["schema"] = {"anyOf": [content["schema"], other]}

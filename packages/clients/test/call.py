"""Makes the calls that the test passes as JSON, and prints what came of them."""

import json
import sys

sys.path.insert(0, sys.argv[1])
from svc import Svc, SvcError, click_id_from, verify_webhook  # noqa: E402


def error_of(error):
    return error and {
        "code": error.code,
        "status": error.status,
        "message": error.message,
        "requestId": error.request_id,
        "isRetryable": error.is_retryable,
    }


def make(call):
    what = call["do"]
    if what == "verify":
        try:
            return {"event": verify_webhook(call["body"], call["headers"], call["secrets"])}
        except SvcError as error:
            return {"error": error_of(error)}
    if what == "clickId":
        return {"clickId": click_id_from(call["cookie"])}
    options = {name: call[key] for name, key in (("api_url", "url"), ("timeout", "seconds")) if key in call}
    result = getattr(Svc(**options), what)(call["body"])
    return {
        "ok": result.ok,
        "outcome": result.outcome,
        "reply": result.reply,
        "reason": result.reason,
        "error": error_of(result.error),
    }


print(json.dumps([make(call) for call in json.load(sys.stdin)]))

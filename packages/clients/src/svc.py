"""Reports affiliate clicks, signups, sales and refunds to the attribution service, and verifies its webhooks.

One file for Python 3.8 and newer, without dependencies. Settings come from SVC_API_KEY and SVC_API_URL.

    from svc import Svc

    svc = Svc()
    result = svc.sale({"transaction_id": "order_1", "customer_key": "user_42", "amount_cents": 4900, "currency": "USD"})
    if not result.ok and result.error.is_retryable:
        ...  # report it again later; the same transaction_id is never counted twice

The bodies are those of the API: https://track.example.com/docs
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import time
import urllib.error
import urllib.request
import uuid

VERSION = "0.0.0"
# The service that this file was downloaded from.
DEFAULT_API_URL = ""

TIMEOUT_SECONDS = 3.0
TOLERANCE_SECONDS = 300


class SvcError(Exception):
    """Why an event was not recorded, or a webhook not accepted."""

    def __init__(self, message, code, status=0, request_id=None, hint=None, retry_after=None, is_retryable=False):
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.hint = hint
        self.retry_after = retry_after
        self.is_retryable = is_retryable


class Result:
    """What became of an event.

    `ok` is true when there is nothing left to do. `outcome` is `recorded` (`reply` has the service's answer),
    `already_recorded`, `commission_pending`, `unattributed` (`reason` says why) or `failed` (`error` says why).
    """

    def __init__(self, outcome, reply=None, reason=None, error=None):
        self.outcome = outcome
        self.reply = reply
        self.reason = reason
        self.error = error
        self.ok = outcome != "failed"

    def __repr__(self):
        return "Result(%r, reply=%r, reason=%r, error=%r)" % (self.outcome, self.reply, self.reason, self.error)


# Refusals after which there is nothing left to do, by event and status, with the start of their message.
_SETTLED = {
    ("lead", 400): [
        ("Customer status cannot be updated to lead", "already_recorded", None),
        ("Customer not found", "unattributed", "customer_not_found"),
    ],
    ("sale", 400): [
        ("Customer not found", "unattributed", "customer_not_found"),
        ("No affiliate attribution found", "unattributed", "no_attribution"),
        ("No partner-program relationship found", "unattributed", "no_relationship"),
    ],
    ("sale", 409): [("Duplicate transaction_id", "already_recorded", None)],
    ("sale", 500): [("Failed to create commission", "commission_pending", None)],
    ("refund", 404): [("Sale not found", "unattributed", "sale_not_found")],
}

_CODES = {
    400: "invalid_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    429: "rate_limited",
}


class Svc:
    """A client for one program. No method that reports raises, and none takes longer than its timeout."""

    def __init__(self, api_key=None, api_url=None, timeout=TIMEOUT_SECONDS):
        self._api_key = api_key
        self._api_url = api_url
        self._timeout = timeout

    def click(self, body):
        """Reports a click, where no tracker runs. Save `result.reply["click_id"]` in the cookie `svc_click_id`."""
        return self._report("click", body)

    def lead(self, body):
        """Reports a signup."""
        return self._report("lead", body)

    def sale(self, body):
        """Reports a payment. Safe to repeat with the same `transaction_id`."""
        return self._report("sale", body)

    def refund(self, body):
        """Reports a refund. A partial one is safe to repeat with the same `refund_id`."""
        return self._report("refund", body)

    def _report(self, event, body):
        try:
            return self._deliver(event, self._request(event, body))
        except SvcError as error:
            return Result("failed", error=error)

    def _request(self, event, body):
        url = self._api_url or os.environ.get("SVC_API_URL") or DEFAULT_API_URL
        key = self._api_key or os.environ.get("SVC_API_KEY")
        if not re.match(r"https?://[^\s/]", url):
            raise SvcError("Set SVC_API_URL to the URL of the service", "not_configured")
        if event != "click" and not key:
            raise SvcError("Set SVC_API_KEY to the API key of the program", "not_configured")
        if event != "click" and not re.match(r"[\x21-\x7e]+\Z", key):
            raise SvcError("SVC_API_KEY has characters that no API key has", "not_configured")
        try:
            data = json.dumps(body, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise SvcError("The event cannot be written as JSON: %s" % error, "invalid_request")
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "User-Agent": "svc-python/" + VERSION,
        }
        if event != "click":
            # Clicks need no key.
            headers["Authorization"] = "Bearer " + key
            headers["Idempotency-Key"] = str(uuid.uuid4())
        return urllib.request.Request(
            "%s/api/v1/track/%s" % (url.rstrip("/"), event), data=data, headers=headers, method="POST"
        )

    def _deliver(self, event, request):
        """Sends the same bytes with the same key until the answer is final or the time is up."""
        deadline = time.monotonic() + self._timeout
        wait = 0.25
        while True:
            result = _send(event, request, max(0.001, deadline - time.monotonic()))
            if result.ok or not result.error.is_retryable:
                return result
            pause = result.error.retry_after
            if pause is None:
                pause = wait * random.uniform(0.75, 1.25)
            if time.monotonic() + pause >= deadline:
                return result
            time.sleep(pause)
            wait *= 2


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def _send(event, request, seconds):
    deadline = time.monotonic() + seconds
    try:
        try:
            response = _opener.open(request, timeout=seconds)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            return _judge(event, response.getcode(), response.headers, _read(response, deadline))
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = getattr(error, "reason", None) or error
        is_late = isinstance(why, TimeoutError) or "timed out" in str(why)
        code = "timeout" if is_late else "unreachable"
        return Result("failed", error=SvcError("No answer from the service (%s)" % why, code, is_retryable=True))


_MAX_ANSWER_BYTES = 1 << 20


def _read(response, deadline):
    """A timeout of a socket is for each read, so a slow answer is read in parts."""
    parts = []
    while sum(map(len, parts)) < _MAX_ANSWER_BYTES:
        if time.monotonic() >= deadline:
            raise TimeoutError("timed out")
        part = response.read1(65536) if hasattr(response, "read1") else response.read()
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


def _judge(event, status, headers, data):
    try:
        body = json.loads(data)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    if 200 <= status < 300 and body.get("success") is True:
        facts = body.get("data")
        if isinstance(facts, dict) and facts.get("attributed") is False and not facts.get("test_mode"):
            return Result("unattributed", reply=body, reason=facts.get("reason"))
        return Result("recorded", reply=body)
    told = body.get("error") if isinstance(body.get("error"), dict) else {}
    message = told.get("message") or ""
    for start, outcome, reason in _SETTLED.get((event, status), []):
        if message.startswith(start):
            return Result(outcome, reason=reason)
    retry_after = headers.get("Retry-After")
    retry_after = max(1, int(retry_after)) if retry_after and retry_after.isdigit() else None
    is_final = status < 500 and status not in (408, 429) and not (status == 409 and retry_after)
    if not message:
        message = "The service answered with status %d" % status
        if status < 400:
            message += ", but not as the service does: check SVC_API_URL"
    code = told.get("code") or _CODES.get(status, "service_failed" if status >= 500 else "unexpected_response")
    error = SvcError(message, code, status, headers.get("X-Request-Id"), told.get("hint"), retry_after, not is_final)
    return Result("failed", error=error)


def click_id_from(cookie_header):
    """The visitor's click id from a Cookie header, or None. Frameworks have it as `request.cookies["svc_click_id"]`."""
    found = re.search(r"(?:^|;)\s*svc_click_id=(cust_\d+_\d+)\s*(?:;|$)", cookie_header or "", re.ASCII)
    return found.group(1) if found else None


def verify_webhook(body, headers, secret, tolerance=TOLERANCE_SECONDS, now=None):
    """Verifies a delivery and returns its event.

    `body` is the body as it was received, before it is parsed; `headers` is any mapping; `secret` is the secret of the
    endpoint, or a list of them while one is being replaced. Raises SvcError with the code `invalid_signature` for anything
    that the service has not signed within the tolerance.
    """
    keys = [_secret_bytes(one) for one in ([secret] if isinstance(secret, str) or secret is None else secret)]
    if not keys:
        raise SvcError("The webhook secret is missing or incomplete: it is whsec_ and base64", "not_configured")
    named = {str(name).lower(): value for name, value in dict(headers).items()}
    delivery_id, timestamp, signatures = (
        str(named.get("webhook-" + name) or "") for name in ("id", "timestamp", "signature")
    )
    if not delivery_id or not timestamp or not signatures:
        raise _invalid("The request lacks a webhook-id, webhook-timestamp or webhook-signature header")
    if not re.match(r"[0-9]{1,12}\Z", timestamp):
        raise _invalid("The webhook-timestamp header is not a time in seconds")
    age = (time.time() if now is None else now) - int(timestamp)
    if age > tolerance:
        raise _invalid("The delivery is too old")
    if age < -tolerance:
        raise _invalid("The delivery is from the future: check the clock of this server")
    data = body.encode() if isinstance(body, str) else bytes(body)
    signed = ("%s.%s." % (delivery_id, timestamp)).encode() + data
    given = [part[3:].encode() for part in signatures.split(" ") if part.startswith("v1,")]
    for key in keys:
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any([hmac.compare_digest(signature, expected) for signature in given]):
            return json.loads(data)
    raise _invalid("No signature fits the body and the secret")


def _secret_bytes(secret):
    try:
        text = secret[6:] if secret.startswith("whsec_") else secret
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (AttributeError, ValueError):
        key = b""
    if not key:
        raise SvcError("The webhook secret is missing or incomplete: it is whsec_ and base64", "not_configured")
    return key


def _invalid(message):
    return SvcError(message, "invalid_signature")

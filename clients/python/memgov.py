"""A client of memgov, the memory governance runtime for software agents. One file: copy it, or import it from here.

    import os
    from memgov import Memgov

    with Memgov("http://127.0.0.1:3001", key=os.environ.get("MEMGOV_KEY")) as memgov:
        guide = memgov.guide(scope="shop", query_text="deploy the shop")
        print(guide["agent_context"]["prompt_text"])

Each operation of the service is a method. It takes the fields of the request by their names, or as one dict, and answers the
decoded JSON. What fails in passing is repeated, a write under an operation_id that is added, so that it is carried out once.
Needs httpx 0.23 or newer and Python 3.9 or newer.
"""

from __future__ import annotations

import email.utils
import functools
import json
import os
import random
import re
import time
import uuid
from datetime import date, datetime, timezone
from typing import Any, Dict, Mapping, Optional
from urllib.parse import quote

import httpx

__version__ = "0.1.0"
__all__ = ["Memgov", "MemgovError"]

# The fields of a request as one dict, and the decoded answer.
_Body = Optional[Mapping[str, Any]]
_Answer = Dict[str, Any]

# Why there is no answer of a service; beside these, the codes of the service.
CONNECTION_ERRORS = {
    # BEGIN CONNECTION_ERRORS
    "timeout": "No answer came in time. What was sent may have been carried out.",
    "unreachable": "No service answers at the address, or the connection broke. What was sent may have been carried out.",
    "not_memgov": "What answers is not memgov: a proxy, or another service.",
    # END CONNECTION_ERRORS
}

# What says that the same request may succeed later: the service, or a proxy before it.
_PASSING = (408, 429, 502, 503, 504)
# Another node owns the scope; the other meaning of its status does not pass.
_PASSING_CODE = "not_owner"
_FIRST_WAIT_S = 0.2
_WAIT_MAX_S = 5.0
# A socket waits no longer.
_TIMER_MAX_S = 2_000_000.0
_TIME_LIMIT = "give seconds above 0."
# No proxy of the environment reaches this machine by these, and it would be shown the key.
_PAST_PROXIES = {"all://127.0.0.1": None, "all://localhost": None, "all://[::1]": None}


class MemgovError(Exception):
    """Everything that a call raises. Of a request that the service refused nothing was written."""

    def __init__(
        self,
        code: str,
        details: Mapping[str, Any],
        message: str,
        status: int | None = None,
        request_id: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        #: What went wrong, for a program: a code of the service, or one of CONNECTION_ERRORS.
        self.code = code
        #: Facts about it; `issues` of `invalid_request` lists each path and sentence.
        self.details = details
        self.message = message
        #: HTTP status; None when no answer came.
        self.status = status
        #: By which the log of the service names the request.
        self.request_id = request_id
        #: How long the service asks to wait before a repeat.
        self.retry_after_s = retry_after_s

    def __reduce__(self) -> tuple[Any, ...]:
        """As it comes from another process, such as one of a pool."""
        facts = (self.code, self.details, self.message, self.status, self.request_id, self.retry_after_s)
        return type(self), facts


class Memgov:
    """A running service. It may be used by several threads."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:3001",
        *,
        key: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`timeout`: seconds for a whole call, its repeats included. `retries`: how often a call is repeated that failed
        in passing; with 0 a write is given no operation_id."""
        url = str(url)
        if not (re.fullmatch(r"https?://[^/?#]+[^?#]*", url) and _is_read_by_httpx(url)):
            raise ValueError(f"{url} is not the URL of a service: name it as http://127.0.0.1:3001.")
        # httpx would send them in the place of the key, and errors would tell them.
        if httpx.URL(url).userinfo:
            raise ValueError("A URL with a name or a password is not asked: give the key as key.")
        key = str(key or "").strip()
        if re.search(r"[^!-~]", key):
            raise ValueError("The key holds signs that no key has.")
        if not (_is_number(timeout) and timeout > 0):
            raise ValueError(f"timeout is {timeout!r}: {_TIME_LIMIT}")
        if not (_is_number(retries) and retries >= 0):
            raise ValueError(f"retries is {retries!r}: give a number from 0.")
        headers = {"accept": "application/json", "x-memgov-client": f"memgov-python/{__version__}"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._retries = retries
        # A key is for the address that it was given for: a redirection is an answer that is not memgov's.
        self._connected = functools.partial(
            httpx.Client, headers=headers, follow_redirects=False, transport=transport, mounts=_PAST_PROXIES
        )
        self._http = self._connected()
        self._pid = os.getpid()

    def __enter__(self) -> Memgov:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connections. The service goes on."""
        self._http.close()

    def health(self, *, timeout: float | None = None) -> _Answer:
        """Readiness, storage and bounds. Needs no key."""
        return self._decoded(self._exchange("GET", "/health", {}, timeout))

    def metrics(self, *, timeout: float | None = None) -> str:
        """The numbers of the service in the text format of Prometheus, when its option `metrics` is on."""
        return self._exchange("GET", "/metrics", {}, timeout).text

    # Operations of the service. Generated by `npm run docs`; change the contract instead.
    # BEGIN METHODS
    def observe(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Record memory, execution evidence, a handoff or claims."""
        return self._call("POST", "/v1/observe", True, body, fields, timeout)

    def guide(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Compile governed context for what the agent is about to do."""
        return self._call("POST", "/v1/guide", True, body, fields, timeout)

    def feedback(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Attribute an outcome to memory that a guide exposed."""
        return self._call("POST", "/v1/feedback", True, body, fields, timeout)

    def finish(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Record how a run ended, and attribute it to what the run used of its guide."""
        return self._call("POST", "/v1/finish", True, body, fields, timeout)

    def govern(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Govern candidate memory of an external backend before prompt use."""
        return self._call("POST", "/v1/memory/govern", False, body, fields, timeout)

    def forget(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Suppress, restore or otherwise control memory, with an audit reason."""
        return self._call("POST", "/v1/forget", True, body, fields, timeout)

    def erase(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Take the content of memory away for good."""
        return self._call("POST", "/v1/memory/erase", True, body, fields, timeout)

    def rehydrate(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Expand compact evidence pointers."""
        return self._call("POST", "/v1/rehydrate", True, body, fields, timeout)

    def resolve(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Resolve a memory URI to its evidence."""
        return self._call("POST", "/v1/memory/resolve", False, body, fields, timeout)

    def measure(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Report what memory changed, as far as the records support it."""
        return self._call("POST", "/v1/measure", False, body, fields, timeout)

    def propose_skills(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Store skill candidates that the records give, for review."""
        return self._call("POST", "/v1/skills/candidates", True, body, fields, timeout)

    def list_skills(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """List skill candidates."""
        return self._call("GET", "/v1/skills/candidates", False, body, fields, timeout)

    def promote_skill(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Mark a skill candidate as promoted."""
        return self._call("POST", "/v1/skills/candidates/:candidate_id/promote", True, body, fields, timeout)

    def reject_skill(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Mark a skill candidate as rejected."""
        return self._call("POST", "/v1/skills/candidates/:candidate_id/reject", True, body, fields, timeout)

    def operator_snapshot(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Show an operator the state of an actor, of a run or of a guide."""
        return self._call("POST", "/v1/operator/snapshot", False, body, fields, timeout)

    def list_actors(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """List the scopes of a tenant."""
        return self._call("GET", "/v1/operator/actors", False, body, fields, timeout)

    def list_memories(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """List what a scope remembers, with its text."""
        return self._call("GET", "/v1/operator/memories", False, body, fields, timeout)

    def search_memories(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Look for text in what a scope remembers."""
        return self._call("POST", "/v1/operator/memories", False, body, fields, timeout)

    def list_guides(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """List the guides of a scope."""
        return self._call("GET", "/v1/operator/guides", False, body, fields, timeout)

    def list_review(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """List what waits for a person."""
        return self._call("GET", "/v1/operator/review", False, body, fields, timeout)

    def list_external(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """List what is known of memory of other stores."""
        return self._call("GET", "/v1/operator/external", False, body, fields, timeout)

    def count_rules(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Count how often each surface rule decided."""
        return self._call("GET", "/v1/operator/rules", False, body, fields, timeout)

    def compare_effect(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Compare runs with memory and runs without, task by task."""
        return self._call("GET", "/v1/operator/effect", False, body, fields, timeout)

    def settle(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Decide a dispute of two memories, or about a skill candidate."""
        return self._call("POST", "/v1/operator/settle", True, body, fields, timeout)

    def blast_radius(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Trace what a memory, or everything from one source, has touched."""
        return self._call("POST", "/v1/audit/blast-radius", False, body, fields, timeout)

    def decision_trace(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Tell why a guide showed what it showed, and what came of it."""
        return self._call("POST", "/v1/debug/memory-decision-trace", False, body, fields, timeout)

    def decision_report(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Report on the decisions of a guide."""
        return self._call("POST", "/v1/audit/memory-decision-report", False, body, fields, timeout)

    def flight_recorder(self, body: _Body = None, /, *, timeout: float | None = None, **fields: Any) -> _Answer:
        """Replay what an agent was shown, and what came of it."""
        return self._call("POST", "/v1/audit/flight-recorder", False, body, fields, timeout)
    # END METHODS

    def _call(
        self, method: str, path: str, writes: bool, body: _Body, fields: Mapping[str, Any], timeout: float | None
    ) -> _Answer:
        if not isinstance(body or {}, Mapping):
            raise _invalid("", "Send the fields by their names, or as one dict.")
        sent = {**(body or {}), **fields}
        if (writes or sent.get("record") is True) and self._retries > 0 and sent.get("operation_id") is None:
            sent["operation_id"] = f"client:{uuid.uuid4().hex}"
        return self._decoded(self._exchange(method, path, sent, timeout))

    def _exchange(
        self, method: str, path: str, fields: Mapping[str, Any], timeout: float | None
    ) -> httpx.Response:
        seconds = self._timeout if timeout is None else timeout
        if not (_is_number(seconds) and seconds > 0):
            raise _invalid("timeout", f"This is {seconds!r}: {_TIME_LIMIT}")
        deadline = time.monotonic() + seconds
        request = _request_for(method, self._url, path, fields)
        failed = 0
        while True:
            try:
                return self._attempt(request, seconds, deadline)
            except MemgovError as error:
                passing = (
                    error.code == "unreachable"
                    if error.status is None
                    else error.status in _PASSING or error.code == _PASSING_CODE
                )
                if not (failed < self._retries and passing):
                    raise
                wait = _back_off(failed) if error.retry_after_s is None else error.retry_after_s
                # What asks for more time than there is will not be answered in it.
                if time.monotonic() + wait >= deadline:
                    raise
            time.sleep(wait)
            failed += 1

    def _attempt(self, request: Mapping[str, Any], seconds: float, deadline: float) -> httpx.Response:
        if self._http.is_closed:
            raise MemgovError("shutting_down", {}, "This client is closed: make another one.")
        # On a connection that a fork left to two processes each would read answers of the other.
        if self._pid != os.getpid():
            self._http, self._pid = self._connected(), os.getpid()
        left = min(deadline - time.monotonic(), _TIMER_MAX_S)
        try:
            if left <= 0:
                raise httpx.PoolTimeout("no time left")
            # httpx bounds each step by itself: a body that trickles in is stopped here.
            with self._http.stream(**request, timeout=left) as response:
                chunks = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("no answer in time")
                answer = httpx.Response(
                    response.status_code,
                    # As bytes: a proxy may send some that are no ASCII.
                    headers=[
                        (name, value)
                        for name, value in response.headers.raw
                        if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
                    ],
                    content=b"".join(chunks),
                )
        except httpx.TimeoutException as error:
            raise _no_answer("timeout", {"timeout_s": seconds}) from error
        except (httpx.InvalidURL, UnicodeError) as error:
            raise _invalid("", f"Send less: what goes into the address is too long for it ({error}).") from error
        except httpx.TransportError as error:
            raise _no_answer("unreachable", {"url": request["url"]}, f": {error}") from error
        except httpx.DecodingError as error:
            raise _no_answer("not_memgov", {"url": request["url"]}) from error
        if answer.is_success:
            return answer
        raise _refusal(answer)

    def _decoded(self, answer: httpx.Response) -> _Answer:
        decoded = _object_from(answer)
        if decoded is None:
            raise _not_memgov(answer)
        return decoded


def _request_for(method: str, base: str, path: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Puts fields where their route takes them: parts of the path, the query of a GET, else JSON."""
    rest = dict(fields)

    def part(match: re.Match[str]) -> str:
        value = rest.pop(match[1], None)
        # Of a path every reader takes dots away, encoded ones too.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise _invalid(match[1], 'Send its text, which is not empty, "." or "..".')
        return quote(value, safe="")

    try:
        url = base + re.sub(r":(\w+)", part, path)
        # Half of a character has no place in a query.
        text = json.dumps(rest, default=_plain, allow_nan=False, ensure_ascii=method == "POST").encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise _invalid("", f"Send what JSON can carry: {error}") from error
    if method == "POST":
        return {
            "method": method,
            "url": url,
            "content": text,
            "headers": {"content-type": "application/json"},
        }
    query = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in json.loads(text).items()
        if value is not None
    }
    return {"method": method, "url": url, "params": query}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_read_by_httpx(url: str) -> bool:
    try:
        return httpx.URL(url).host != ""
    except (httpx.InvalidURL, ValueError):
        return False


def _plain(value: Any) -> Any:
    """A time without a zone is local time, as Python has it."""
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no JSON.")


def _invalid(path: str, sentence: str) -> MemgovError:
    message = sentence if path == "" else f"{path}: {sentence}"
    return MemgovError("invalid_request", {"issues": [{"path": path, "message": message}]}, message, 400)


def _no_answer(code: str, details: Mapping[str, Any], why: str = "") -> MemgovError:
    told = f" ({details['url']}{why})" if "url" in details else ""
    return MemgovError(code, details, CONNECTION_ERRORS[code] + told)


def _not_memgov(answer: httpx.Response) -> MemgovError:
    status = answer.status_code
    return MemgovError(
        "not_memgov",
        {"status": status},
        CONNECTION_ERRORS["not_memgov"],
        status,
        answer.headers.get("x-request-id"),
        _retry_after_s(answer),
    )


def _refusal(answer: httpx.Response) -> MemgovError:
    body = _object_from(answer) or {}
    code = body.get("error")
    if not isinstance(code, str):
        return _not_memgov(answer)
    message, details = body.get("message"), body.get("details")
    return MemgovError(
        code,
        details if isinstance(details, dict) else {},
        message if isinstance(message, str) else code,
        answer.status_code,
        answer.headers.get("x-request-id"),
        _retry_after_s(answer),
    )


def _object_from(answer: httpx.Response) -> dict[str, Any] | None:
    try:
        decoded = json.loads(answer.content)
    except (ValueError, RecursionError):
        return None
    return decoded if isinstance(decoded, dict) else None


def _retry_after_s(answer: httpx.Response) -> float | None:
    """Seconds, or a date."""
    text = answer.headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _back_off(failed: int) -> float:
    """Longer each time, and never the same for two clients."""
    return min(_WAIT_MAX_S, _FIRST_WAIT_S * 2.0 ** min(failed, 9)) * random.uniform(0.5, 1.0)

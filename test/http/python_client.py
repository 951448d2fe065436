"""Against the service at MEMGOV_URL, and against servers that answer as no service should."""

import json
import os
import pickle
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

import httpx

import memgov
from memgov import Memgov, MemgovError


def client(**options):
    return Memgov(os.environ["MEMGOV_URL"], key=os.environ["MEMGOV_KEY"], **options)


class AgainstAService(unittest.TestCase):
    def test_the_loop_goes_through(self):
        with client() as service:
            observed = service.observe(scope="py-loop", input_text="Deploys go through staging first.")
            guide = service.guide({"scope": "py-loop"}, query_text="deploy")
            self.assertEqual(guide["agent_context"]["memory_ids"], observed["memory_ids"])
            trace = guide["guide_trace_id"]
            finished = service.finish(scope="py-loop", guide_trace_id=trace, outcome="succeeded")
            self.assertEqual(finished["tenant_id"], "acme")
            self.assertTrue(service.health()["ok"])

    def test_fields_go_where_the_route_takes_them(self):
        with client() as service:
            seen = datetime(2026, 1, 1, tzinfo=timezone.utc)
            memory = {"text": "Tests run on Node 20.", "observed_at": seen}
            [memory_id] = service.observe(scope="py", memory=memory)["memory_ids"]
            items = service.list_memories(scope="py", limit=200)["items"]
            self.assertIn(memory_id, [item["memory_id"] for item in items])
            with self.assertRaises(MemgovError) as raised:
                service.promote_skill(scope="py", candidate_id="no/such?", reviewer_id="me", reason="x")
            self.assertEqual(raised.exception.code, "skill_candidate_not_found")

    def test_a_refusal_has_the_code_of_the_service(self):
        with client() as service, self.assertRaises(MemgovError) as raised:
            service.guide(query_text="x", tenant_id="other")
        error = raised.exception
        self.assertEqual((error.code, error.status), ("tenant_forbidden", 403))
        self.assertEqual(error.details, {"field": "tenant_id"})
        self.assertTrue(error.request_id)

    def test_what_json_cannot_carry_is_refused(self):
        for value in (object(), float("nan"), {1, 2}):
            with client() as service, self.assertRaises(MemgovError) as raised:
                service.observe(scope="py", input_text="x", context={"value": value})
            self.assertEqual(raised.exception.code, "invalid_request")
        with client() as service:
            for call in (service.list_memories, service.promote_skill):
                with self.assertRaises(MemgovError) as raised:
                    call(scope="py\ud800", candidate_id="a\ud800", reviewer_id="me", reason="x")
                self.assertEqual(raised.exception.code, "invalid_request")
            for dots in (".", ".."):
                with self.assertRaisesRegex(MemgovError, "^candidate_id: Send its text"):
                    service.promote_skill(scope="py", candidate_id=dots, reviewer_id="me", reason="x")
            with self.assertRaises(MemgovError) as raised:
                service.list_memories(scope="s" * 70_000)
            self.assertEqual(raised.exception.code, "invalid_request")

    def test_a_write_whose_answer_is_lost_is_carried_out_once(self):
        class Losing(httpx.HTTPTransport):
            sent = 0

            def handle_request(self, request):
                self.sent += 1
                answer = super().handle_request(request)
                if self.sent == 1:
                    raise httpx.ReadError("the connection broke")
                return answer

        losing = Losing()
        with client(transport=losing) as service:
            written = service.observe(scope="py-lost", input_text="Written once.")["memory_ids"]
            self.assertEqual(losing.sent, 2)
            items = service.list_memories(scope="py-lost")["items"]
        self.assertEqual([item["memory_id"] for item in items], written)

    def test_it_is_of_the_version_of_the_package(self):
        self.assertEqual(memgov.__version__, os.environ["MEMGOV_VERSION"])


class AgainstOtherServers(unittest.TestCase):
    def serving(self, *answers):
        """Answers the nth request by the nth of `answers`, and the others by the last: status, headers, text, delay."""
        asked = []

        class Handler(BaseHTTPRequestHandler):
            # A connection stays.
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                asked.append((self.path, json.loads(body or b"{}"), {**self.headers, "port": self.client_address[1]}))
                status, headers, text, delay = answers[min(len(asked), len(answers)) - 1]
                time.sleep(delay)
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text.encode())
                except OSError:
                    pass

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}", asked

    OK = (200, {}, '{"ok":true}', 0)

    def busy(self, status, retry_after, code="overloaded"):
        return (status, {"retry-after": retry_after}, json.dumps({"error": code, "message": "busy"}), 0)

    def failing(self, call):
        with self.assertRaises(MemgovError) as raised:
            call()
        return raised.exception

    def test_a_busy_service_is_asked_again_under_one_operation_id(self):
        for status in (429, 503):
            url, asked = self.serving(self.busy(status, "0"), self.OK)
            with Memgov(url) as service:
                self.assertEqual(service.observe(input_text="x"), {"ok": True})
            ids = {body["operation_id"] for _, body, _ in asked}
            self.assertEqual((len(asked), len(ids)), (2, 1))

    def test_retry_after_may_be_a_date_and_may_be_too_late(self):
        soon = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=1), usegmt=True)
        url, _ = self.serving(self.busy(503, soon), self.OK)
        with Memgov(url) as service:
            self.assertTrue(service.health()["ok"])
        url, asked = self.serving(self.busy(503, "60", "storage_read_only"))
        with Memgov(url) as service:
            error = self.failing(lambda: service.observe(input_text="x"))
        self.assertEqual((error.code, error.retry_after_s, len(asked)), ("storage_read_only", 60, 1))

    def test_what_will_not_pass_is_not_repeated(self):
        url, asked = self.serving(self.busy(409, "", "operation_conflict"))
        with Memgov(url) as service:
            self.assertEqual(self.failing(lambda: service.observe(input_text="x")).status, 409)
        self.assertEqual(len(asked), 1)

    def test_a_silent_server_ends_the_call_at_its_timeout_and_one_that_is_gone_is_unreachable(self):
        url, _ = self.serving((200, {}, "{}", 1))
        with Memgov(url) as service:
            self.assertEqual(self.failing(lambda: service.guide(query_text="x", timeout=0.1)).code, "timeout")
        with Memgov("http://127.0.0.1:1", retries=1) as service:
            self.assertEqual(self.failing(service.health).code, "unreachable")

    def test_another_server_and_a_redirection_are_not_the_service(self):
        url, _ = self.serving((200, {}, "<html>", 0))
        with Memgov(url) as service:
            self.assertEqual(self.failing(service.health).code, "not_memgov")
        url, _ = self.serving((200, {"content-encoding": "gzip"}, "no gzip", 0))
        with Memgov(url) as service:
            self.assertEqual(self.failing(service.health).code, "not_memgov")
        target, reached = self.serving(self.OK)
        url, _ = self.serving((307, {"location": target}, "", 0))
        with Memgov(url, key="mg_x") as service:
            self.assertEqual(self.failing(lambda: service.observe(input_text="x")).code, "not_memgov")
        self.assertEqual(reached, [])

    def test_a_call_without_an_end_waits(self):
        url, _ = self.serving(self.OK)
        with Memgov(url, timeout=float("inf")) as service:
            self.assertEqual(service.health(), {"ok": True})

    def test_a_time_limit_or_a_number_of_repeats_that_is_none_is_refused_at_once(self):
        for value in (float("nan"), 0, -1, "30", None):
            with self.assertRaisesRegex(ValueError, "^timeout is .*: give seconds above 0[.]$"):
                Memgov(timeout=value)
        for value in (float("nan"), -1, "2"):
            with self.assertRaisesRegex(ValueError, "^retries is .*: give a number from 0[.]$"):
                Memgov(retries=value)
        with Memgov() as service:
            error = self.failing(lambda: service.health(timeout=float("nan")))
        self.assertEqual((error.code, str(error)), ("invalid_request", "timeout: This is nan: give seconds above 0."))

    def test_an_address_that_is_none_is_refused_at_once_and_a_password_is_not_told(self):
        for url in ("http://127.0.0.1:port", "http://[::1", "http://127.0.0.1:1\n", "localhost"):
            with self.assertRaisesRegex(ValueError, "is not the URL of a service"):
                Memgov(url)
        with self.assertRaisesRegex(ValueError, "^A URL with a name or a password"):
            Memgov("http://me:secret@127.0.0.1:3001")

    def test_an_address_that_is_unset_or_gone_is_named_and_a_body_that_is_no_dict_is_refused(self):
        with self.assertRaisesRegex(ValueError, "^None is not the URL of a service"):
            Memgov(None)
        with Memgov("http://127.0.0.1:1", retries=0) as service:
            error = self.failing(lambda: service.guide(query_text="x"))
            self.assertRegex(str(error), r" \(http://127[.]0[.]0[.]1:1/v1/guide: .+\)$")
            error = self.failing(lambda: service.guide("deploy"))
        self.assertEqual((error.code, str(error)), ("invalid_request", "Send the fields by their names, or as one dict."))

    def test_a_closed_client_says_so(self):
        url, asked = self.serving(self.OK)
        service = Memgov(url)
        service.close()
        self.assertEqual((self.failing(service.health).code, asked), ("shutting_down", []))

    def test_a_client_that_is_closed_while_it_waits_says_so(self):
        url, asked = self.serving(self.busy(503, "0"))
        with Memgov(url) as service, mock.patch("time.sleep", lambda _: service.close()):
            self.assertEqual((self.failing(service.health).code, len(asked)), ("shutting_down", 1))

    def test_an_error_goes_from_one_process_to_another(self):
        url, _ = self.serving(self.busy(429, "7", "rate_limited"))
        with Memgov(url, retries=0) as service:
            error = self.failing(service.health)
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((copy.__dict__, str(copy)), (error.__dict__, "busy"))
        self.assertEqual(copy.retry_after_s, 7)

    @unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
    def test_a_process_that_forks_shares_no_connection(self):
        url, asked = self.serving(self.OK)
        with Memgov(url) as service:
            service.health()
            child = os.fork()
            if child == 0:
                os._exit(0 if service.health() == {"ok": True} else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            service.health()
        before, forked, after = [headers["port"] for _, _, headers in asked]
        self.assertEqual(before, after)
        self.assertNotEqual(before, forked)

    def test_this_machine_is_reached_past_the_proxy_of_the_environment(self):
        url, asked = self.serving(self.OK)
        proxy, shown = self.serving((502, {}, "", 0))
        with mock.patch.dict(os.environ, {"HTTP_PROXY": proxy, "NO_PROXY": "", "no_proxy": ""}):
            with Memgov(url, key="mg_x", retries=0) as service:
                self.assertTrue(service.health()["ok"])
            with Memgov("http://memgov.invalid", retries=0) as service:
                self.assertEqual(self.failing(service.health).status, 502)
        self.assertEqual((len(asked), len(shown)), (1, 1))

    def test_a_call_without_an_end_waits_however_often_it_was_repeated(self):
        with Memgov("http://127.0.0.1:1", timeout=float("inf"), retries=1100) as service:
            with mock.patch("time.sleep") as slept:
                self.assertEqual(self.failing(service.health).code, "unreachable")
        self.assertEqual(slept.call_count, 1100)

    def test_headers_of_a_proxy_may_be_odd(self):
        url, _ = self.serving((200, {"via": "B\u00fcro"}, "{}", 0))
        with Memgov(url) as service:
            self.assertEqual(service.health(), {})
        url, _ = self.serving((503, {"retry-after": f"Mon, 1 Jan {10**20} 00:00:00 GMT"}, "", 0))
        with Memgov(url, retries=0) as service:
            self.assertEqual(self.failing(service.health).retry_after_s, None)

    def test_a_host_name_that_cannot_be_asked_for_is_refused(self):
        with Memgov(f"http://{'a' * 70}.example") as service:
            self.assertEqual(self.failing(service.health).code, "invalid_request")

    def test_a_key_that_no_header_carries_is_refused_at_once(self):
        for key in ("mg_…", "mg_a\nb", "mg_a b"):
            with self.assertRaisesRegex(ValueError, "The key holds signs that no key has."):
                Memgov(key=key)
        Memgov(key="mg_a\r\n").close()

    def test_it_names_itself_and_shows_the_key(self):
        url, asked = self.serving(self.OK)
        with Memgov(f"{url}/behind/", key="mg_x", retries=0) as service:
            service.observe(input_text="x")
        path, body, headers = asked[0]
        self.assertEqual((path, body), ("/behind/v1/observe", {"input_text": "x"}))
        self.assertEqual(headers["authorization"], "Bearer mg_x")
        self.assertEqual(headers["x-memgov-client"], f"memgov-python/{memgov.__version__}")


if __name__ == "__main__":
    unittest.main()

"""Limits on connections, requests and messages, also without Redis."""

import asyncio
import gc
import re
import socket

import httpx
import pytest

from sumito.server.base.settings import Settings
from sumito.server.limits import Limits, group_of
from sumito.server.refusals import Refusal
from support.processes import PATIENCE, Player, ServerProcess


def half_sent(port, count):
    """Connections that never finish their headers."""
    opened = []
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", port), PATIENCE)
        one.sendall(b"GET /api/me HTTP/1.1\r\nHost: x\r\n")
        opened.append(one)
    return opened


async def test_half_sent_requests_stop_nobody(tmp_path):
    # Fewer files than connections; the address is a proxy's, so that it alone has no cap.
    server = ServerProcess(tmp_path / "games.sqlite3", files=256).start()
    opened = await asyncio.to_thread(half_sent, server.port, 300)
    ann = Player(server.url)
    try:
        await ann.new_game()
    finally:
        await ann.close()
        for one in opened:
            one.close()
        said = server.stop()
    assert "accept" not in said, said


async def test_an_address_has_only_so_many_connections(tmp_path):
    server = ServerProcess(tmp_path / "games.sqlite3", connections=20, proxies="").start()
    opened = await asyncio.to_thread(half_sent, server.port, 20)
    try:
        with pytest.raises(httpx.TransportError):
            httpx.get(server.url + "/healthz", timeout=PATIENCE)
        opened.pop().close()
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    httpx.get(server.url + "/healthz", timeout=PATIENCE)
                except httpx.TransportError:
                    await asyncio.sleep(0.05)
                else:
                    break
    finally:
        for one in opened:
            one.close()
        server.stop()


@pytest.fixture(scope="module")
def impatient(tmp_path_factory):
    """A server that waits no longer than 300 ms for a request."""
    folder = tmp_path_factory.mktemp("impatient")
    server = ServerProcess(folder / "games.sqlite3", header_ms=300).start()
    yield server
    server.stop()


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /api/me HTTP/1.1\r\nHost: x\r\n",
        b"GET /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n",
    ],
    ids=["nothing", "half the headers", "an unread body"],
)
async def test_who_doesnt_finish_a_request_is_let_go(impatient, sent):
    reader, writer = await asyncio.open_connection("127.0.0.1", impatient.port)
    writer.write(sent)
    async with asyncio.timeout(PATIENCE):
        await _read_until_closed(reader)
    writer.close()


async def _read_until_closed(reader):
    try:
        while await reader.read(4096):
            pass
    except ConnectionError:
        pass


async def test_forwarded_addresses_are_believed_of_trusted_proxies_only(tmp_path):
    for proxies, believed in (("127.0.0.0/8", True), ("10.0.0.0/8", False)):
        server = ServerProcess(
            tmp_path / "games.sqlite3", new_games="2/minute", proxies=proxies
        ).start()
        people = [Player(server.url, **{"X-Forwarded-For": f"192.0.2.{n}"}) for n in range(4)]
        try:
            codes = [(await one.http.post("/api/games", json={})).status_code for one in people]
        finally:
            for one in people:
                await one.close()
            server.stop()
        assert (codes == [201] * 4) is believed
        assert codes[:2] == [201, 201]


KEPT_REQUESTS = 1_000


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/games", "Origin: https://evil.example\r\n", 403),
        ("/api/games", "Authorization: Bearer nonsense\r\n", 401),
        ("/api/nothing", "", 405),
    ],
)
async def test_a_connection_survives_refusals_of_unread_bodies(server, path, headers, status):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    body = b'{"mode": "two"}'
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{headers}"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    for number in range(KEPT_REQUESTS):
        writer.write(head.encode())
        if number % 2:
            # Headers and body arrive apart: the refusal is ready before the body is there.
            await asyncio.sleep(0.001)
        writer.write(body)
        answer, _ = await _read_answer(reader)
        assert answer.startswith(f"HTTP/1.1 {status} "), (number, answer)
        assert "connection: close" not in answer.lower()
    writer.close()


async def test_an_unread_body_that_is_too_large_is_refused_with_an_announced_close(server):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        b"POST /api/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nonsense\r\n"
        b"Content-Length: 10000000\r\n\r\n" + bytes(100_000)
    )
    answer, _ = await _read_answer(reader)
    assert answer.startswith("HTTP/1.1 401 ")
    assert "connection: close" in answer.lower()
    writer.close()


async def test_a_client_that_waits_for_leave_to_send_is_refused_without_it(server):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        b"POST /api/games HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nonsense\r\n"
        b"Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"
    )
    answer, _ = await _read_answer(reader)
    assert answer.startswith("HTTP/1.1 401 ")
    assert "connection: close" in answer.lower()
    writer.close()


async def _read_answer(reader):
    async with asyncio.timeout(PATIENCE):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.search(r"(?i)content-length: (\d+)", head)[1])
        return head, await reader.readexactly(length)


async def test_messages_are_counted_by_person_and_by_address():
    limits = Limits(Settings(messages="3/minute", address_messages="5/minute"))
    ann, ann_too = limits.messages("192.0.2.1", "ann"), limits.messages("192.0.2.1", "ann")
    ben = limits.messages("192.0.2.1", "ben")
    cas = limits.messages("192.0.2.2", "cas")

    def waits(allowances):
        return max(one.spend() for one in allowances)

    assert [waits(ann), waits(ann_too), waits(ann)] == [0, 0, 0]
    assert 0 < waits(ann_too) <= 60
    assert waits(ben) == 0
    assert 0 < waits(ben) <= 60
    assert waits(cas) == 0


async def test_an_allowance_is_forgotten_with_its_last_connection():
    limits = Limits(Settings())
    held = limits.messages("192.0.2.1", "ann")
    assert len(limits._allowances) == 2
    del held
    gc.collect()
    assert not limits._allowances


async def test_several_connections_of_one_person_share_one_allowance(tmp_path):
    server = ServerProcess(
        tmp_path / "games.sqlite3", messages="20/minute", chat="2/minute"
    ).start()
    ann = Player(server.url)
    try:
        game, _ = await ann.new_game(seats={"black": {"kind": "me"}, "white": {"kind": "here"}})
        async with ann.socket(game["id"]) as one, ann.socket(game["id"]) as other:
            assert (await one.ask("chat", text="1"))["type"] == "ack"
            assert (await other.ask("chat", text="2"))["type"] == "ack"
            refused = await one.ask("chat", text="3")
            assert (refused["code"], refused["details"]["retry_after"] > 0) == ("too-many", True)
            await ann.command(game["id"], 429, type="chat", text="4")
            # Only chat is refused; moves go on, until all messages together are too many.
            await one.play("a1b2")
            for number in range(10):
                await one.send(type="ping", sent=number)
            await one.until("pong", sent=9)
            for number in range(10):
                await other.send(type="ping", sent=number)
            await other.until("error", code="too-many")
    finally:
        await ann.close()
        server.stop()


def test_a_network_of_ipv6_counts_as_one():
    assert group_of("2001:db8::1") == group_of("2001:db8::ffff:1") != group_of("2001:db8:0:1::1")
    assert group_of("fe80::1%eth0") == "fe80::/64"
    assert group_of("unknown") == "unknown"


async def test_an_address_tries_only_so_many_passwords():
    limits = Limits(Settings(sign_ins="2/minute"))
    for account in ("ann", "ben"):
        await limits.sign_in("192.0.2.1", account, None)
    with pytest.raises(Refusal):
        await limits.sign_in("192.0.2.1", "cas", None)
    # A device that is known to the account counts for itself, for that account alone.
    await limits.sign_in("192.0.2.1", "ann", "device")
    await limits.sign_in("192.0.2.1", "Ann", "device")
    with pytest.raises(Refusal):
        await limits.sign_in("192.0.2.1", "ANN", "device")
    await limits.sign_in("192.0.2.2", "ann", None)


async def test_an_account_is_counted_wherever_its_requests_come_from():
    limits = Limits(Settings(sign_ins="2/minute", new_games="2/minute"))
    for n in range(2):
        await limits.confirm(f"192.0.2.{n}", "ann's id")
        await limits.new_game(f"192.0.2.{n}", "ann's id")
    with pytest.raises(Refusal):
        await limits.confirm("192.0.2.9", "ann's id")
    with pytest.raises(Refusal):
        await limits.new_game("192.0.2.9", "ann's id")


async def test_limits_are_counted_here_while_redis_is_away(free_port):
    limits = Limits(Settings(redis=f"redis://127.0.0.1:{free_port}", requests="2/minute"))
    await limits.request("192.0.2.1")
    await limits.request("192.0.2.1")
    with pytest.raises(Refusal):
        await limits.request("192.0.2.1")


@pytest.fixture
def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]

"""How much memory an engine's table may take."""

import pytest

from sumito.cli.ugi_session import UgiSession
from sumito.engine import Engine
from sumito.engine.engine import MOST_HASH_MB, most_hash_mb
from sumito.engine.memory import available_mb
from sumito.errors import EngineError

GB = 2**30


@pytest.fixture
def system(tmp_path):
    """A made-up system with 8,000 MB of memory available."""

    def put(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(str(text))

    put("proc/meminfo", "MemTotal: 16384000 kB\nMemFree: 1 kB\nMemAvailable: 8192000 kB\n")
    put("proc/self/cgroup", "0::/a/b\n")
    system = tmp_path
    return system, put


def test_the_system_says_what_is_available(system):
    root, _ = system
    assert available_mb(root) == 8000


def test_a_group_bounds_what_is_available(system):
    root, put = system
    put("sys/fs/cgroup/a/b/memory.max", 2 * GB)
    put("sys/fs/cgroup/a/b/memory.current", 1 * GB)
    assert available_mb(root) == 1024
    put("sys/fs/cgroup/a/b/memory.stat", f"anon 5\ninactive_file {GB // 2}\n")
    assert available_mb(root) == 1536


def test_so_does_a_group_above_it(system):
    root, put = system
    put("sys/fs/cgroup/a/b/memory.max", "max")
    put("sys/fs/cgroup/a/b/memory.current", 0)
    put("sys/fs/cgroup/a/memory.max", GB)
    put("sys/fs/cgroup/a/memory.current", 0)
    assert available_mb(root) == 1024


def test_within_a_container_the_group_lies_at_the_mount(system):
    root, put = system
    put("sys/fs/cgroup/memory.max", GB)
    put("sys/fs/cgroup/memory.current", GB)
    assert available_mb(root) == 0


def test_the_first_version_of_groups_is_read_too(system):
    root, put = system
    put("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/a\n0::/\n")
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", 3 * GB)
    put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", GB)
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", 2**63 - 4096)
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", GB)
    assert available_mb(root) == 2048


def test_a_system_that_says_nothing_bounds_nothing_above_its_memory(tmp_path):
    assert available_mb(tmp_path) > 0


def test_what_is_there_but_not_understood_is_passed_over(system):
    root, put = system
    put("sys/fs/cgroup/a/b/memory.max", "nonsense")
    put("proc/meminfo", "MemAvailable: lots\n")
    assert available_mb(root) > 0


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr("sumito.engine.engine.available_mb", lambda: 800)


def test_a_table_larger_than_the_memory_available_is_refused(little_memory):
    assert most_hash_mb() == 700
    for size in (701, 10_000, MOST_HASH_MB + 1):
        with pytest.raises(EngineError, match=r"hash_mb must be .* from 1 to 700"):
            Engine(hash_mb=size)
    Engine(hash_mb=1).close()


def test_a_small_table_is_always_allowed(monkeypatch):
    monkeypatch.setattr("sumito.engine.engine.available_mb", lambda: 0)
    Engine(hash_mb=1).close()


def test_the_protocol_announces_the_bound_that_it_keeps(little_memory):
    said = []
    session = UgiSession(said.append)
    session.handle("ugi")
    assert "option name Hash type spin default 64 min 1 max 700" in said
    session.handle("setoption name Hash value 701")
    assert "not a whole number from 1 to 700" in said[-1]
    count = len(said)
    session.handle("setoption name Hash value 700")
    assert len(said) == count
    session.handle("setoption name Hash value 16")
    session.handle("go nodes 1")
    session.wait()
    session.handle("ugi")
    assert "option name Hash type spin default 64 min 1 max 714" in said, "its own 16 MB are free"
    session.close()

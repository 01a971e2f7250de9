"""Output files: what is replaced, what is written in place, and what is refused."""

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from sumito import Board, record
from sumito.errors import OutputError, RecordError
from sumito.output import check_output, open_output
from sumito.record import Record
from support.optional_parts import REASONS

GAME = record.write(Record.from_board(Board()))

unix = pytest.mark.skipif(os.name != "posix", reason=REASONS["posix"])
root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason=REASONS["root"])


def names(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def write(path, text="new"):
    with open_output(Path(path)) as file:
        file.write(text)


def test_a_new_file_gets_the_mode_of_any_new_file(tmp_path):
    write(tmp_path / "new")
    (tmp_path / "other").write_text("")
    assert (tmp_path / "new").read_text() == "new"
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


@unix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_a_file_keeps_its_mode(tmp_path, mode):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(mode)
    write(file)
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert file.read_text() == "new"


@root
def test_a_file_keeps_its_owner(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    os.chown(file, 1234, 4321)
    file.chmod(0o4755)
    write(file)
    status = file.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (1234, 4321, 0o4755)


@unix
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "folder").mkdir()
    real = tmp_path / "folder" / "real"
    real.write_text("old")
    (tmp_path / "middle").symlink_to("folder/real")
    (tmp_path / "link").symlink_to("middle")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "middle").is_symlink()
    assert real.read_text() == "new"
    assert names(tmp_path / "folder") == ["real"]


@unix
def test_a_link_to_nothing_makes_its_target(tmp_path):
    (tmp_path / "link").symlink_to("target")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


@unix
def test_links_in_a_circle_are_an_error(tmp_path):
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(OSError, match="one") as caught:
        write(tmp_path / "one")
    assert caught.value.errno == errno.ELOOP


@unix
@root
def test_a_device_is_written_and_not_replaced(tmp_path):
    null = tmp_path / "null"
    os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    write(null)
    assert stat.S_ISCHR(null.stat().st_mode)
    assert names(tmp_path) == ["null"]


@unix
@root
def test_no_command_replaces_a_device(tmp_path):
    null = tmp_path / "null"
    os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    games = tmp_path / "games.apgn"
    games.write_text(GAME)
    for command in (
        ["convert", "record", games, "-o", null],
        ["analyse", games, "--nodes", "1", "--out", null],
        ["review", games, "--nodes", "1", "--out", null, "--report", null],
        ["show", "--svg", null],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "sumito", *map(str, command)], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, ""), command
        assert stat.S_ISCHR(null.stat().st_mode), command
    assert names(tmp_path) == ["games.apgn", "null"]


@unix
def test_a_pipe_without_a_reader_is_refused_at_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_output(pipe)
    with pytest.raises(OutputError, match="no program reads from it"):
        write(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@unix
def test_a_pipe_with_a_reader_gets_everything(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Opened without waiting, so that it is certain to be there first.
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)
    received = []

    def read():
        with os.fdopen(reader, "rb") as file:
            received.append(file.read())

    check_output(pipe)
    with open_output(pipe) as file:
        file.write("x")
        file.flush()
        thread = threading.Thread(target=read)
        thread.start()
        file.write("y" * 1_000_000)  # more than a pipe holds
    thread.join()
    assert received == [b"x" + b"y" * 1_000_000]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason=REASONS["linux"])
def test_a_full_disk_is_named():
    with pytest.raises(OSError, match="/dev/full") as caught:
        write("/dev/full", "x" * 100_000)
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason=REASONS["posix"])
def test_standard_output_under_another_name_is_written_where_it_stands(tmp_path):
    games, out = tmp_path / "games.apgn", tmp_path / "out"
    games.write_text(GAME)
    out.write_text("before\n")
    with out.open("a") as appended:
        subprocess.run(
            [sys.executable, "-m", "sumito", "convert", "record", games, "-o", "/dev/stdout"],
            stdout=appended,
            check=True,
        )
    assert out.read_text() == "before\n" + GAME


def test_a_failure_leaves_the_old_contents_and_nothing_else(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")

    def interrupted():
        with open_output(file) as opened:
            opened.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_a_record_that_cannot_be_written_leaves_the_file(tmp_path):
    file = tmp_path / "games.apgn"
    file.write_text("old")
    good = Record.from_board(Board())
    bad = Record(good.tags | {"Result": "7-0"}, good.root)
    with pytest.raises(RecordError):
        record.write([good, bad], file)
    assert file.read_text() == "old"


def test_a_file_may_be_read_while_it_is_written(tmp_path):
    file = tmp_path / "games.apgn"
    file.write_text(GAME * 3)
    record.write(record.read(file), file, notation="nacre")
    assert len(list(record.read(file))) == 3


def test_a_name_as_long_as_names_may_be_is_written(tmp_path):
    file = tmp_path / ("x" * 255)
    write(file)
    assert file.read_text() == "new"


@pytest.mark.parametrize("check", [write, lambda path: check_output(Path(path))])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("", OutputError),
        (".", OutputError),
        ("a\0b", OutputError),
        ("missing/file", FileNotFoundError),
        ("file/under", NotADirectoryError),
    ],
)
def test_what_is_no_file_is_refused_by_its_name(tmp_path, monkeypatch, name, kind, check):
    (tmp_path / "file").write_text("old")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind) as caught:
        check(name)
    assert repr(name)[1:-1] in str(caught.value)
    assert (tmp_path / "file").read_text() == "old"


@unix
@root
def test_a_folder_or_file_without_permission_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        file, locked = Path(folder, "file"), Path(folder, "locked")
        file.write_text("old")
        locked.write_text("old")
        os.chown(file, 65534, 65534)
        locked.chmod(0o400)
        Path(folder).chmod(0o755)
        os.setegid(65534)
        os.seteuid(65534)
        try:
            for path in (file, locked, Path(folder, "new")):
                with pytest.raises(PermissionError, match=path.name):
                    write(path)
        finally:
            os.seteuid(0)
            os.setegid(0)
        assert (file.read_text(), locked.read_text()) == ("old", "old")
        assert names(folder) == ["file", "locked"]

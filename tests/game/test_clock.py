"""Time controls and clocks: integers handed in, integers worked out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sumito.errors import ControlError
from sumito.game.clock import LONGEST, Clock, Control, Delay, Fischer, NoClock, SuddenDeath

milliseconds = st.integers(1, LONGEST)
controls = st.one_of(
    st.just(NoClock()),
    st.builds(SuddenDeath, milliseconds),
    st.builds(Fischer, milliseconds, st.integers(0, LONGEST)),
    st.builds(Delay, milliseconds, st.integers(0, LONGEST)),
)


def running(control, at=0):
    return Clock.of(control, seats=2).start(0, at)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("-", NoClock()),
        ("900", SuddenDeath(900_000)),
        ("600+5", Fischer(600_000, 5_000)),
        ("600d3", Delay(600_000, 3_000)),
        ("0.5+0.001", Fischer(500, 1)),
    ],
)
def test_time_control_text_is_in_seconds(text, control):
    assert Control.parse(text) == control
    assert str(control) == text


@given(controls)
def test_every_time_control_survives_its_text(control):
    assert Control.parse(str(control)) == control


@pytest.mark.parametrize(
    "text",
    ["", "0", "0+5", "600+", "+5", "600 + 5", "600d", "600x3", "-5", "6e2", "٦٠٠", "600.1234"],
)
def test_what_is_no_time_control_is_refused_by_name(text):
    with pytest.raises(ControlError, match=r"time control|ms must be a whole number"):
        Control.parse(text)


@given(st.text(alphabet="0123456789.+d- e\n", max_size=24))
def test_any_text_is_a_time_control_or_a_control_error(text):
    try:
        control = Control.parse(text)
    except ControlError:
        return
    assert Control.parse(str(control)) == control


@pytest.mark.parametrize("ms", [0, -1, 1.5, True, "600", LONGEST + 1])
def test_a_control_takes_whole_milliseconds_only(ms):
    with pytest.raises(ControlError, match="whole number of milliseconds"):
        SuddenDeath(ms)


def test_only_the_running_clock_loses_time():
    ticking = running(SuddenDeath(10_000), at=500)
    assert ticking.remaining(0, at=2_500) == 8_000
    assert ticking.remaining(1, at=2_500) == 10_000


def test_a_stopped_clock_stands_still():
    stopped = running(SuddenDeath(10_000)).stop(at=4_000)
    assert stopped.remaining(0, at=1_000_000) == 6_000


def test_the_flag_falls_when_the_last_millisecond_is_used():
    ticking = running(SuddenDeath(10_000))
    assert not ticking.flagged(0, at=9_999)
    assert ticking.flagged(0, at=10_000)
    assert ticking.deadline == 10_000
    assert ticking.remaining(0, at=99_999) == 0


def test_fischer_adds_the_increment_when_the_move_is_made():
    ticking = running(Fischer(10_000, 2_000))
    assert ticking.press(at=3_000).remaining(0, at=3_000) == 9_000
    assert ticking.stop(at=3_000).remaining(0, at=3_000) == 7_000


def test_an_increment_doesnt_lift_a_fallen_flag():
    assert running(Fischer(1_000, 5_000)).flagged(0, at=1_000)


def test_delay_leaves_the_first_moments_of_a_turn_uncharged():
    ticking = running(Delay(10_000, 3_000))
    assert ticking.press(at=2_999).remaining(0, at=2_999) == 10_000
    assert ticking.press(at=3_001).remaining(0, at=3_001) == 9_999
    assert ticking.deadline == 13_000
    assert not ticking.flagged(0, at=12_999)
    assert ticking.flagged(0, at=13_000)


def test_without_a_clock_nobody_ever_flags():
    untimed = running(NoClock())
    assert untimed.remaining(0, at=10**15) is None
    assert not untimed.flagged(0, at=10**15)
    assert untimed.deadline is None


def test_lag_is_taken_off_the_turn_but_never_gives_time():
    ticking = running(SuddenDeath(10_000), at=1_000)
    assert ticking.press(at=3_000, lag=500).remaining(0, at=3_000) == 8_500
    assert ticking.press(at=1_200, lag=500).remaining(0, at=1_200) == 10_000


def test_a_shift_is_charged_to_nobody():
    assert running(SuddenDeath(10_000)).shift(60_000).remaining(0, at=61_000) == 9_000


def test_clocks_are_started_and_stopped_in_turn():
    ticking = running(SuddenDeath(10_000), at=5)
    with pytest.raises(ControlError, match="the clock of seat 0 is running"):
        ticking.start(1, at=6)
    with pytest.raises(ControlError, match="can't stop at 4"):
        ticking.stop(at=4)
    with pytest.raises(ControlError, match="no clock is running"):
        ticking.stop(at=6).press(at=7)
    with pytest.raises(ControlError, match="no seat 2"):
        ticking.stop(at=6).start(2, at=7)


@given(st.integers(1, 10**6), st.lists(st.integers(0, 10**5), max_size=30))
def test_in_sudden_death_all_time_that_passes_is_somebodys(ms, turns):
    now, ticking = 0, running(SuddenDeath(ms))
    for number, length in enumerate(turns):
        if ticking.flagged(number % 2, now + length):
            break
        now += length
        ticking = ticking.press(now).start((number + 1) % 2, now)
    assert 2 * ms - sum(ticking.left) == now

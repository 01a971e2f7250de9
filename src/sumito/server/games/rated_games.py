"""Conditions of rated games: their terms, and the accounts that may play them.

A rated game has the unchanged rules of a preset, a clock that leaves time to think, and players
whose accounts were not created just for it.
"""

from __future__ import annotations

from typing import Final

from sumito.protocol.requests import Delay, Fischer, NewGame, NoClock, RuleOptions, SuddenDeath
from sumito.server.accounts.accounts import People
from sumito.server.base.i18n import N_
from sumito.server.base.settings import Settings
from sumito.server.refusals import Forbidden, InvalidInput, Refusal
from sumito.server.storage import Person

_FEWEST_MS: Final = 60_000
"""For a whole game of one player."""
_MOVES: Final = 40
"""Moves that an increment is counted for."""
_OPPONENTS: Final = 3
"""Finished games against this many established opponents make up for an account's age."""


def check(wanted: NewGame) -> None:
    """Raise `InvalidInput` if a game is to be rated but its terms don't allow it."""
    if not wanted.rated:
        return
    if isinstance(wanted.rules, RuleOptions) and wanted.rules != RuleOptions(
        preset=wanted.rules.preset
    ):
        raise _odd_rules()
    if wanted.win_at is not None or (wanted.captured and any(wanted.captured)):
        raise _odd_rules()
    if isinstance(wanted.control, NoClock):
        # Without a clock, a player who is about to lose could stop moving.
        raise InvalidInput("not-rateable", N_("A rated game has a clock."))
    if _thinking_ms(wanted.control) < _FEWEST_MS:
        raise InvalidInput(
            "not-rateable",
            N_("A rated game gives each player at least one minute."),
        )


async def admit(people: People, person: Person, address: str, settings: Settings, now: int) -> None:
    """Raise `Forbidden` if an account is too new for rated games; note its network.

    An account is old enough by its age, or by finished games against several that are.
    """
    if not person.account:
        return
    await people.note_network(person.id, address)
    old = now - settings.rated_after_hours * 3_600_000
    if person.created_at <= old:
        return
    if await people.store.established_opponents(person.id, old) < _OPPONENTS:
        raise Forbidden(
            "account-too-new",
            N_(
                "Rated games need an account that is {hours} hours old, or finished games against"
                " {count} players whose accounts are."
            ),
            hours=settings.rated_after_hours,
            count=_OPPONENTS,
        )


def _thinking_ms(control: SuddenDeath | Fischer | Delay) -> int:
    match control:
        case SuddenDeath(ms=ms):
            return ms
        case Fischer(ms=ms, increment_ms=more) | Delay(ms=ms, delay_ms=more):
            return ms + _MOVES * more if ms >= _FEWEST_MS // 6 else ms


def _odd_rules() -> Refusal:
    return InvalidInput(
        "not-rateable",
        N_("A rated game has the rules of a preset, unchanged, and no handicap."),
    )

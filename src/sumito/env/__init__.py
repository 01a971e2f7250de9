"""Environments for reinforcement learning: PettingZoo, Gymnasium, and a thousand games at once.

Needs the extra `env`: ``pip install 'sumito[env]'``.

    from sumito.env import abalone_v0

    env = abalone_v0.env(mode="two", layout="belgian-daisy")

`sumito.env.abalone_v0` defines observations, actions and rewards for all environments here.
`import sumito.env` also registers ``sumito/Abalone-v0`` with Gymnasium, one
player against the engine, and ``sumito/AbaloneBatch-v0``, many games at once.
"""

from __future__ import annotations

_NEEDED = ("gymnasium", "numpy", "pettingzoo")

try:
    from sumito.env import abalone_v0, augment
    from sumito.env.batch import Batch
    from sumito.env.registration import register
    from sumito.env.rewards import ShapedRewards
    from sumito.env.single import AbaloneEnv
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] not in _NEEDED:
        raise
    raise ModuleNotFoundError(
        f"sumito.env needs {error.name}; install it with: pip install 'sumito[env]'",
        name=error.name,
    ) from None

register()

__all__ = ["AbaloneEnv", "Batch", "ShapedRewards", "abalone_v0", "augment"]

"""``python -m dragonhall.cli`` is the command ``dragonhall``."""

from __future__ import annotations

from dragonhall.cli.app import main

main()

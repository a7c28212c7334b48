"""``python -m jaxtwin`` is the command ``torch2jax``."""

from .cli import main

main()

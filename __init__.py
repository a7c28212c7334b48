"""torch2jax: PyTorch modules as readable JAX twins, source to source.

The command line is ``torch2jax`` (:mod:`jaxtwin.cli`). Importing this package loads nothing else.
"""

__version__ = "0.1.0"

"""Statement-level passes: one file and one public function each.

A pass takes a rewriter and a small statement of the source, and returns the statements that say it in JAX, or None to
leave it to the next pass.
"""

from .gradient import augmented
from .masks import masked_store
from .mutation import functional_store
from .plumbing import vanishing
from .validation import value_check

# In the order tried: what vanishes first, the special stores before the general ones.
PASSES = (vanishing, value_check, masked_store, functional_store, augmented)

__all__ = ["PASSES"]

"""JAX-only helpers that a twin may carry, one file a family. The static side reads their text, never imports them."""

"""Static: source text in, twin text and diagnostics out. Imports neither torch nor jax."""

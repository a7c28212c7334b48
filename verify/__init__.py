"""Runs a torch original and its JAX twin side by side.

The only part of the package that imports torch and jax together.
"""

"""Runs the twin of blog.py, its value and its gradient. Needs jax only.

python examples/run_blog.py
"""

import jax
import jax.numpy as jnp
from blog_jax import f


def main() -> None:
    x = jnp.linspace(-1.0, 1.0, 5)
    value, gradient = jax.value_and_grad(f)(x)
    print(f"x        {x}")
    print(f"f(x)     {value:.6f}")
    print(f"df/dx    {gradient}")
    expected = jnp.cos(x) + 2 * jnp.exp(2 * x)
    print(f"analytic {expected}")
    assert jnp.allclose(gradient, expected, rtol=1e-5)


if __name__ == "__main__":
    main()

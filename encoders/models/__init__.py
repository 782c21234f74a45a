"""Architectures: each has a module named like it, which says all of it in its ``ARCHITECTURE``."""

from encoders.models import interaction

NAMES = ("bi", "poly", "cross", "cdv", "cdv-published", "long", "hconv", *interaction.NAMES)
"""In the order of the command's help. A new one is its module and its name here, or in the sub-package that holds it;
nothing here imports torch."""
SUBPACKAGES = (interaction,)
"""Each lists its own in its ``NAMES``."""

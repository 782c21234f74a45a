"""Where what is said of a name ends."""

from __future__ import annotations

ENDS = r"(?=\s*(?:$|[,;.?)])|\s+(?:and|but|with|without|plus|[+&]|who)\s)"
"""Behind it comes a sign, another name, or nothing."""

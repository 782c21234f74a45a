"""What bi- and poly-encoder share: a transformer for queries and one for passages, or one for both."""

from __future__ import annotations

import copy
from pathlib import Path

from encoders.scorer import Indexable
from encoders.tower import Tower


class TwoTowers(Indexable):
    """``shared``: one transformer for both, or a tower each, the passages' a copy to begin with."""

    def __init__(self, tower: Tower, shared: bool) -> None:
        super().__init__()
        self.query_tower = tower
        self.passage_tower = tower if shared else copy.deepcopy(tower)

    def save(self, folder: Path) -> None:
        """The weights go to ``folder`` where they are shared, else to its folders query and passage."""
        if self.passage_tower is self.query_tower:
            self.query_tower.save(folder)
            return
        self.query_tower.save(folder / "query")
        self.passage_tower.save(folder / "passage")

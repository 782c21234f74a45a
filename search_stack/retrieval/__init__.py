"""From a query to its answer: what the engine is asked, fusion, ranking, exact counts."""

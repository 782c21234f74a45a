"""Mentions in the notes of the shared data, as people judged them who did not see what the labels say
(docs/annotation.md). Ids, offsets and answers only; the texts stay where they are. The fresh part stands apart."""

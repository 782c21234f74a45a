"""Neural rankers from before transformers: what contextual discourse vectors were published beside (Arnold et al., WWW
2020, table 3). They read words, not word pieces: see `words`."""

NAMES = (
    "arc-i",
    "arc-ii",
    "dssm",
    "c-dssm",
    "drmm",
    "match-pyramid",
    "anmm",
    "duet",
    "mv-lstm",
    "k-nrm",
    "conv-knrm",
    "har",
)
"""In the order of the command's help."""

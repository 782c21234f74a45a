"""Our parts timed beside a named peer. What needs PyTorch is in `encoders`, what needs the ledger in `ingest.bench`."""

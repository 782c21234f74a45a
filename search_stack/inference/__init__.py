"""ONNX models at work: bundles, sessions, batching, encoding, reranking."""

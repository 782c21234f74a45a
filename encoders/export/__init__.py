"""Export of trained weights as bundles for ONNX Runtime, and back."""

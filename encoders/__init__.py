"""Models: architectures, training, export, peers. The only package that imports torch."""

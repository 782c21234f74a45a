"""Training: data, examples, objectives and the loop, in a folder from which a training goes on."""

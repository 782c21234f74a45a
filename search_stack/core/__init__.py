"""What every other package stands on: settings, words for data, errors, the engine's client."""

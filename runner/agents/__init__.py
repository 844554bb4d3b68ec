"""The agents: one class each, registered by name."""

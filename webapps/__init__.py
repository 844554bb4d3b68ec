"""The worlds: mock sites with private state per episode."""

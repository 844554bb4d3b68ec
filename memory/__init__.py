"""What an agent is told, when, and where in its prompt."""

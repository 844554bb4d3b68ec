"""What is tested: tasks, their moves, goals and memories."""

"""Letting an agent act, and writing down everything."""

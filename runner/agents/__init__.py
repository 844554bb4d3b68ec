"""The agents: one class each, registered by name when `load_agents` imports its module."""

import importlib
import pkgutil


def load_agents() -> None:
    """Import every module of this package, so that all agents can be found by name."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")

"""A site: one mock application in one folder of `webapps/sites`."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import webapps.sites

if TYPE_CHECKING:
    from flask import Blueprint

    from webapps.world import World

WHOLE_TABLE = ("*",)


@dataclass(frozen=True, kw_only=True)
class Site:
    """What the host and the goal checks need to know of an application.

    Every table's name starts with the site's name and an underscore. `volatile` maps a table to
    the columns (or `WHOLE_TABLE`) that are no part of the business state: drafts, activity logs.
    `irreversible` maps each kind of ledger row to what it stands for.
    """

    name: str
    title: str
    about: str
    schema: str
    seed: "Callable[[World], None]"
    blueprint: "Callable[[], Blueprint]"
    irreversible: Mapping[str, str]
    volatile: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def load_sites() -> Mapping[str, Site]:
    """All sites by name, in alphabetical order. A folder without a `site` raises."""
    names = sorted(module.name for module in pkgutil.iter_modules(webapps.sites.__path__))
    modules = [importlib.import_module(f"webapps.sites.{name}") for name in names]
    return {module.site.name: module.site for module in modules}

"""A run directory: who may run into it, and with which configuration."""

import fcntl
import platform
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from pydantic import ValidationError

from runner.configuration import RunConfiguration, first_difference, option
from runner.errors import UserError
from runner.store import MANIFEST, Manifest, read_manifest

LOCK = "run.lock"
CACHE = "model-cache"
_OURS_BEFORE_THE_START = {LOCK, CACHE, f"{MANIFEST}.tmp"}


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the directory, which is made if missing; refuse when another process holds it.

    The operating system lifts the lock when the process ends, however it ends.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file = (directory / LOCK).open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write to {directory}: {error.strerror}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another process is running into {directory}") from None
        yield


def admit(directory: Path, configuration: RunConfiguration, catalogue: str) -> bool:
    """Whether the directory holds a run of this very configuration to go on with.

    False when it is empty. Raises UserError when it holds something else: another configuration,
    the same over tasks that were edited since, or files that are no run.
    """
    if not (directory / MANIFEST).exists():
        foreign = sorted({path.name for path in directory.iterdir()} - _OURS_BEFORE_THE_START)
        if foreign:
            raise UserError(f"{directory} is no run directory and not empty: it has {foreign[0]}")
        return False
    manifest = read_manifest(directory)
    recorded, wanted = manifest.configuration, configuration.model_dump(mode="json")
    name = first_difference(recorded, wanted)
    if name is not None:
        raise UserError(
            f"{directory} holds a run of another configuration: {option(name)} "
            f"was {_brief(recorded.get(name))}, now {_brief(wanted.get(name))}"
        )
    if manifest.catalogue != catalogue:
        raise UserError(
            f"{directory} cannot be continued: its tasks were changed since; start a new run"
        )
    return True


def new_directory(configuration: RunConfiguration) -> Path:
    """Where a run goes that was not told where: `runs/<timestamp>-<agent>-<schedules>`."""
    who = "-".join(part for part in (configuration.agent, configuration.model) if part)
    name = f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{who}-{'-'.join(configuration.schedule)}"
    return Path("runs") / re.sub(r"[^\w.-]+", "-", name)


def recorded_configuration(directory: Path) -> RunConfiguration:
    """The configuration of the run in `directory`."""
    try:
        return RunConfiguration.model_validate(read_manifest(directory).configuration)
    except ValidationError as error:
        problem = error.errors()[0]
        field = ".".join(map(str, problem["loc"]))
        raise UserError(
            f"{directory} cannot be continued by this version: {field}: {problem['msg']}"
        ) from None


def new_manifest(
    configuration: RunConfiguration, *, catalogue: str, browser: str, simulated: bool
) -> Manifest:
    """The manifest of a run that starts now. `browser` is the browser's version."""
    return Manifest(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        configuration=configuration.model_dump(mode="json"),
        versions={
            "memtrap": _own_version(),
            "python": platform.python_version(),
            "playwright": metadata.version("playwright"),
            "browser": browser,
        },
        catalogue=catalogue,
        simulated=simulated,
    )


def _own_version() -> str:
    """The version of this checkout; of the installed package when there is no checkout."""
    project = Path(__file__).parent.parent / "pyproject.toml"
    if not project.exists():
        return metadata.version("memtrap")
    version: str = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    return version


def _brief(value: object) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

"""The project as a whole: what is committed, the lock files, the packages and their front doors."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RUNTIME = PROJECT["project"]["dependencies"]
DEV = PROJECT["project"]["optional-dependencies"]["dev"]
LOCKS = {"requirements.txt": RUNTIME, "requirements-dev.txt": RUNTIME + DEV}
INDEX = re.compile(r"--(?:extra-)?index-url\b|--find-links\b|tool\.uv\.(?:index|pip)")
SOMEONES_FOLDER = re.compile(r"(?<![\w.~])/(?:root|work|home/\w+|Users/\w+)/")
SETUP_TOOLS = ("cat", "cksum", "dirname", "id", "sed", "sh")


def committed() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    paths = [ROOT / name for name in listing.split("\0") if name]
    return [path for path in paths if path.is_file() and path != Path(__file__).resolve()]


def lines_matching(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if pattern.search(line)
    ]


def locked(name: str) -> dict[str, str]:
    pins = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE)
    return {canonicalize_name(package): version for package, version in pins}


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, check=False, capture_output=True, text=True
    )


def test_no_package_index_stands_in_a_committed_file() -> None:
    assert lines_matching(INDEX, committed()) == []
    assert lines_matching(re.compile("://"), [ROOT / lock for lock in LOCKS]) == []


def test_no_folder_of_one_machine_stands_in_a_committed_file() -> None:
    assert lines_matching(SOMEONES_FOLDER, committed()) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_satisfies_what_pyproject_asks_for(lock: str) -> None:
    pins = locked(lock)
    for text in LOCKS[lock]:
        wanted = Requirement(text)
        version = pins.get(canonicalize_name(wanted.name))
        assert version is not None, f"{wanted.name} is not in {lock}; run: make lock"
        assert version in wanted.specifier, f"{wanted} is locked at {version}; run: make lock"


def test_both_locks_name_the_same_versions() -> None:
    assert locked("requirements.txt").items() <= locked("requirements-dev.txt").items()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_has_hashes(lock: str) -> None:
    entries = re.split(r"^(?=[\w.-]+==)", (ROOT / lock).read_text(), flags=re.MULTILINE)[1:]
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_compromised_litellm_releases_are_excluded() -> None:
    (litellm,) = [Requirement(text) for text in RUNTIME if Requirement(text).name == "litellm"]
    assert not {"1.82.7", "1.82.8"} & set(litellm.specifier.filter(["1.82.7", "1.82.8"]))


def test_every_package_is_named_for_the_build_and_docker_is_none() -> None:
    patterns = PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    named = {pattern.rstrip("*") for pattern in patterns}
    assert named == {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert named == set(PROJECT["tool"]["mypy"]["packages"])
    assert "docker" not in named


@pytest.mark.parametrize(
    ("package", "heavy"),
    [
        ("analysis", ("playwright", "litellm", "webapps", "probes")),
        ("webapps", ("playwright", "litellm", "memory", "probes", "runner")),
        ("memory", ("playwright", "litellm", "webapps", "probes", "runner")),
        ("probes", ("playwright", "litellm")),
    ],
)
def test_a_package_loads_no_more_than_it_needs(package: str, heavy: tuple[str, ...]) -> None:
    done = python(
        "-c",
        "import importlib, pkgutil, sys\n"
        f"import {package}\n"
        f"for module in pkgutil.walk_packages({package}.__path__, '{package}.'):\n"
        "    if not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)))",
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("package", ["analysis", "probes", "runner", "webapps"])
def test_every_front_door_explains_itself(package: str) -> None:
    done = python("-m", package, "--help")
    assert done.returncode == 0, done.stderr
    assert f"usage: python -m {package}" in done.stdout


def test_set_up_without_python_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for tool in SETUP_TOOLS:
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / "bin" / tool).symlink_to(found)
    project = tmp_path / "project"
    project.mkdir()
    shutil.copytree(ROOT / "scripts", project / "scripts")
    shutil.copy(ROOT / "requirements-dev.txt", project)
    done = subprocess.run(
        ["sh", "scripts/setup.sh"],
        cwd=project,
        check=False,
        env={"PATH": str(tmp_path / "bin"), "HOME": os.environ.get("HOME", "/")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("setup: Python 3.11 or newer is needed")
    assert len(done.stderr.splitlines()) == 1

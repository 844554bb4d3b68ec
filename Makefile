# `make` alone lists the targets.
.PHONY: help setup run test audit lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Make .venv from the lock file and find or install a browser
	@scripts/setup.sh

run: setup ## Run the benchmark; more options in ARGS="..."
	.venv/bin/python -m runner --schedule persistent $(ARGS)

test: setup ## Lint, types, import rules, all tests; pytest options in ARGS="..."
	@scripts/test.sh $(ARGS)

audit: setup ## Prove every task in the real browser
	.venv/bin/python -m probes audit $(ARGS)

lock: setup ## Write the lock files anew from pyproject.toml
	@scripts/lock.sh

clean: ## Remove the virtual environment and caches; runs stay
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

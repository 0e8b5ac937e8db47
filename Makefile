# Two commands for a newcomer: `make demo` shows a dream, `make test` proves the service.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/installed
DEV := $(VENV)/installed-dev

.PHONY: demo test lint openapi bench clean

demo: $(RUN)
	@$(BIN)/python manage.py demo $(ARGS)

test: lint
	@$(BIN)/python -m tests.run $(ARGS)

lint: $(DEV)
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --format openapi-json | cmp - docs/openapi.json

openapi: $(DEV)
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --format openapi-json > docs/openapi.json

bench: $(DEV)
	@$(BIN)/python -m benchmarks $(ARGS)

$(RUN): requirements.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what dreamsvc runs on into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(DEV): requirements-dev.txt $(RUN)
	@echo "Installing what testing needs into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean: # not var: it holds the memories
	rm -rf $(VENV)

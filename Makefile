PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
CODE := reference conformance tools
# What stands in the one form of `brou fmt`.
CHAPTERS := spec/games spec/prelude
# Neighbours stay together, so that what a file makes once is made by one worker; who is done takes over from the other.
PYTEST := $(BIN)/python -P -m pytest -n auto --dist worksteal

# Tests start hundreds of interpreters: whatever the machine is set to, none compiles the sources that another has compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help verify test quick check agree oracles identity proofs fairness fuzz thorough schemas format engines golden site wheel components release clean

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	$(PYTHON) -m venv --upgrade-deps .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

verify: $(READY) ## the first verdict: the example programs against the suite
	$(BIN)/python -P -m brou_tools.verify.first_verdict

test: $(READY) ## the test suite, but for what takes minutes each; about eighteen minutes on two cores
	$(PYTEST) -m "not thorough"

quick: $(READY) ## the tests that take a moment each, about four minutes on two cores
	$(PYTEST) -m "not slow and not thorough"

check: $(READY) ## format, lint, types, imports, names, prose, the data and the pages
	$(BIN)/ruff format --check $(CODE) examples
	$(BIN)/ruff check $(CODE) examples
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -P -m pytest -q tools/tests/test_names.py tools/tests/test_prose.py
	$(BIN)/brou fmt --check $(CHAPTERS)
	$(BIN)/brou check
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build

agree: $(READY) ## interpreter and oracles play the same random matches
	$(BIN)/python conformance/tests/agree.py

oracles: $(READY) ## the oracles are changed one by one, and scenarios, matches and tests must notice
	$(BIN)/python conformance/tests/mutate_oracles.py

identity: $(READY) ## interpreter, generated Python and C, and the prover's formulas come to the same, mutants included
	$(BIN)/python conformance/tests/identity.py
	PYTHONPATH=conformance/tests $(BIN)/python tools/tests/formula_identity.py

proofs: $(READY) ## ask every statement afresh, slow ones too, and those of the Brou games of a second solver as well (hours)
	$(BIN)/brou prove --slow --afresh
	$(BIN)/brou prove brouc homme-de-brou --second --slow --afresh
	$(BIN)/python -P tools/tests/proved.py --slow --afresh

fairness: $(READY) ## faultless programs under readings drawn at random are judged, and none is accused; ARGS="--seed 2 -n 90"
	$(BIN)/python conformance/tests/fairness.py $(ARGS)

fuzz: $(READY) ## feed mutated files, requests and answers to everything that reads them; SEED=, ARGS="-n 500"
	PYTHONPATH=tools/tests:conformance/tests $(BIN)/python -P -m fuzzing $(if $(SEED),--seed $(SEED)) $(ARGS)

thorough: $(READY) ## everything that takes long: tests of minutes, agreement, identity, fuzzing (an hour and more)
	$(PYTEST) -m thorough
	$(MAKE) agree identity fairness fuzz

schemas: $(READY) ## write the published JSON Schemas anew, from the shapes that state them
	$(BIN)/python -P -m brou_tools.site.published_schemas

format: $(READY) ## write code and chapters in the one format
	$(BIN)/ruff format $(CODE) examples
	$(BIN)/ruff check --fix-only --quiet $(CODE) examples
	$(BIN)/brou fmt $(CHAPTERS)

engines: $(READY) ## engines of all rule bases in WebAssembly, for the next wheel to carry
	$(BIN)/python -P -m brou_tools.build.built_in_advance

golden: $(READY) ## write down anew what a million random acts of each rule base lead to
	$(BIN)/python -P -m brou_tools.build.golden

build/pyodide/package/package.json: $(READY) tools/brou_tools/site/engine/__init__.py
	rm -rf build/pyodide && mkdir -p build/pyodide
	npm pack --silent --pack-destination build/pyodide \
		$$($(BIN)/python -P -c "from brou_tools.site.engine import PACKAGE; print(PACKAGE)")
	tar -xzmf build/pyodide/*.tgz -C build/pyodide

# Records of the example programs, for the table of programs; of each that needs nothing but Python or Node.
build/records/.made: $(READY) $(wildcard conformance/adapters/*/*.py conformance/adapters/*/*/*.py conformance/adapters/*/*.mjs)
	rm -rf build/records && mkdir -p build/records
	$(BIN)/python -P -m brou_tools.verify.first_verdict --reports build/records
	@touch $@

build/docs/index.html: $(READY) $(wildcard docs/*.md docs/*/*.md)
	$(BIN)/sphinx-build -q -W --keep-going -b html -D brou_in_site=1 docs build/docs

site: build/pyodide/package/package.json build/records/.made build/docs/index.html ## build/site: games, programs and docs; answers every question in the browser
	rm -rf build/site.new
	$(BIN)/brou site -o build/site.new --engine build/pyodide/package --reports build/records --docs build/docs
	rm -rf build/site
	mv build/site.new build/site

wheel: $(READY) engines ## dist/*.whl
	$(BIN)/python -m build --wheel --no-isolation

components: $(READY) ## dist/brou.cdx.json, the list of packages that go with a release, as CycloneDX
	$(BIN)/python -P -m brou_tools.site.components dist/brou.cdx.json

release: wheel components ## all that is published: wheel, source archive and list of components
	$(BIN)/python -m build --sdist --no-isolation

clean: ## remove what was made
	rm -rf .venv build dist reference/brou/native/built .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

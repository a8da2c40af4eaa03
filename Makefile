# One line each: what a person would type.
.PHONY: test browser-test python-test clean-environment wheel lint docs site bench experiments defaults graph-features demo package clean

# Where the real data sets are; tests that need them say so when they are missing.
ISOTHERM_DATA ?= ../shared/data
export ISOTHERM_DATA

CARGO ?= cargo
TOOLS := $(CURDIR)/.tools
PEERS := $(CURDIR)/.venv-peers
SITE := $(CURDIR)/.venv-site
VENV := $(CURDIR)/.venv
CLEAN := $(CURDIR)/.venv-clean
WHEELS := $(CURDIR)/target/wheels
PYTHON ?= python3
CHROMIUM ?= /usr/bin/chromium

# The real data and sentence models are more features, so that everything is compiled once. The
# wheel is built without sentence models, as users get it.
HAS_DATA := $(wildcard $(ISOTHERM_DATA)/.)
EMBED := --features isotherm-cli/embed
REAL := --features isotherm-io/real-data,isotherm-experiments/real-data

# The binary of what is here now, as the tests have it: with the features of another selection of
# crates its dependencies would be compiled a second time. After `make test` nothing is left to do.
BINARY = $(CARGO) test --workspace --locked $(EMBED) $(if $(HAS_DATA),$(REAL)) --no-run --quiet

# Every test: library, files, command line, documentation, the real data where it is, and the
# Python package as a user gets it.
test:
	$(if $(HAS_DATA),@echo "with the real data in $(ISOTHERM_DATA)",@echo "NOT RUN: the real-data tests, because ISOTHERM_DATA=$(ISOTHERM_DATA) does not exist")
	ISOTHERM_DATA="$(abspath $(ISOTHERM_DATA))" $(CARGO) test --workspace --locked $(EMBED) $(if $(HAS_DATA),$(REAL))
	@$(MAKE) --no-print-directory browser-test
	@$(MAKE) --no-print-directory python-test

# The report in a real browser: Debian's Chromium, never a downloaded build of one.
browser-test: browser/node_modules/.ready
	@[ -x "$(CHROMIUM)" ] || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } || \
	  { echo "browser-test: there is no $(CHROMIUM); install Debian's package chromium, or set CHROMIUM to yours" >&2; exit 1; }
	$(BINARY)
	cd browser && CHROMIUM="$(CHROMIUM)" ISOTHERM_BIN="$(CURDIR)/target/debug/isotherm" npm test --silent

browser/node_modules/.ready: browser/package-lock.json
	@command -v npm > /dev/null || { echo "browser-test: there is no npm; install Debian's packages nodejs and npm" >&2; exit 1; }
	cd browser && npm ci --silent --no-audit --no-fund
	touch $@

# The wheel, in an environment with everything that its tests need ...
python-test: $(VENV)/ready wheel
	"$(VENV)/bin/pip" install --quiet --force-reinstall --no-deps "$(WHEELS)"/isotherm-*.whl
	$(BINARY)
	ISOTHERM_ALL=1 ISOTHERM_DATA="$(abspath $(ISOTHERM_DATA))" ISOTHERM_BIN="$(CURDIR)/target/debug/isotherm" "$(VENV)/bin/python" -m pytest -q
	@$(MAKE) --no-print-directory clean-environment

# ... and in one with nothing but what it asks for itself. After `make wheel`.
clean-environment:
	$(PYTHON) -m venv --clear "$(CLEAN)"
	"$(CLEAN)/bin/pip" install --quiet "$(WHEELS)"/isotherm-*.whl
	"$(CLEAN)/bin/python" python/tests/clean_environment.py "$(WHEELS)"

wheel:
	rm -rf "$(WHEELS)"
	$(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir "$(WHEELS)" .

$(VENV)/ready: python/requirements-test.txt
	$(PYTHON) -m venv "$(VENV)"
	"$(VENV)/bin/pip" install --quiet -r python/requirements-test.txt
	touch $@

lint: $(TOOLS)/bin/cargo-deny
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked $(EMBED) $(REAL) -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked
	PATH="$(TOOLS)/bin:$$PATH" $(CARGO) deny --log-level error check licenses bans sources

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --open

# The documentation as pages in target/site. Once its environment is there no network is needed,
# and none by who reads them.
site: $(SITE)/ready
	NO_MKDOCS_2_WARNING=1 "$(SITE)/bin/mkdocs" build --quiet --clean

$(SITE)/ready: docs/requirements.txt
	$(PYTHON) -m venv "$(SITE)"
	"$(SITE)/bin/pip" install --quiet -r docs/requirements.txt
	touch $@

# Ours beside the peers and the hardware's limits; writes docs/benchmarks.md and, for kernel
# Laplacians, for choosing rows and for the Python package, docs/benchmarks-laplacian.md,
# docs/benchmarks-query.md and docs/benchmarks-python.md, and for reading text
# docs/benchmarks-cli.md, each from one run.
bench: $(PEERS)/ready
	$(CARGO) build --release --locked -p isotherm-bench
	ISOTHERM_PEER_PYTHON="$(PEERS)/bin/python" target/release/isotherm-bench kernel graph solve grid eigen neighbours scale
	ISOTHERM_PEER_PYTHON="$(PEERS)/bin/python" target/release/isotherm-bench --page docs/benchmarks-laplacian.md laplacian stream
	ISOTHERM_PEER_PYTHON="$(PEERS)/bin/python" target/release/isotherm-bench --page docs/benchmarks-query.md query
	ISOTHERM_PEER_PYTHON="$(PEERS)/bin/python" target/release/isotherm-bench --page docs/benchmarks-cli.md read
	@$(MAKE) --no-print-directory wheel
	"$(PEERS)/bin/pip" install --quiet --force-reinstall --no-deps "$(WHEELS)"/isotherm-*.whl
	"$(PEERS)/bin/python" crates/isotherm-bench/peers/python_bench.py docs/benchmarks-python.md --wheels "$(WHEELS)"

# The papers' tables and figures beside the printed ones; writes experiments/.
experiments:
	$(CARGO) build --release --locked -p isotherm-experiments
	target/release/isotherm-experiments stkr all
	target/release/isotherm-experiments klap all
	target/release/isotherm-experiments query
	target/release/isotherm-experiments partial

# The default beside what people would type instead, on a bank of data sets; continues
# experiments/defaults/runs.csv and writes its pages anew.
BANK := $(CURDIR)/.venv-bank
defaults: $(BANK)/ready wheel
	"$(BANK)/bin/pip" install --quiet --force-reinstall --no-deps "$(WHEELS)"/isotherm-*.whl
	cd experiments/defaults && export ISOTHERM_DATA="$(abspath $(ISOTHERM_DATA))" && \
	  "$(BANK)/bin/python" run.py && "$(BANK)/bin/python" page.py --half decide --out decide.md && \
	  "$(BANK)/bin/python" page.py --half report --out report.md

$(BANK)/ready: experiments/defaults/requirements.txt
	$(PYTHON) -m venv "$(BANK)"
	"$(BANK)/bin/pip" install --quiet --no-deps -r experiments/defaults/requirements.txt
	touch $@

# Graphs with and without features, beside PyTorch Geometric's networks; continues
# experiments/graph-features/runs.csv and writes its pages anew. The environment takes some 7 GB.
GRAPHS := $(CURDIR)/.venv-graph-features
graph-features: $(GRAPHS)/ready wheel
	"$(GRAPHS)/bin/pip" install --quiet --force-reinstall --no-deps "$(WHEELS)"/isotherm-*.whl
	cd experiments/graph-features && export ISOTHERM_DATA="$(abspath $(ISOTHERM_DATA))" && \
	  "$(GRAPHS)/bin/python" run.py && "$(GRAPHS)/bin/python" page.py --half decide --out decide.md && \
	  "$(GRAPHS)/bin/python" page.py --half report --out report.md

$(GRAPHS)/ready: experiments/graph-features/requirements.txt
	$(PYTHON) -m venv "$(GRAPHS)"
	"$(GRAPHS)/bin/pip" install --quiet --no-deps -r experiments/graph-features/requirements.txt
	touch $@

# A tarball and a Debian package in target/package, with man pages and completions. On Linux the
# binary is linked statically, C library and all, so that it runs on any distribution.
HOST := $(shell $(CARGO) -vV 2>/dev/null | sed -n 's/^host: //p')
package:
	RUSTFLAGS="$(if $(findstring linux-gnu,$(HOST)),-C target-feature=+crt-static)" \
		$(CARGO) build --release --locked -p isotherm-cli --target "$(HOST)"
	sh packaging/package.sh "target/$(HOST)/release/isotherm" target/package

demo:
	$(CARGO) run --release --locked -- demo

$(TOOLS)/bin/cargo-deny:
	$(CARGO) install --debug cargo-deny --version 0.20.2 --locked --root "$(TOOLS)"

$(PEERS)/ready: crates/isotherm-bench/peers/requirements.txt
	python3 -m venv "$(PEERS)"
	"$(PEERS)/bin/pip" install --quiet -r crates/isotherm-bench/peers/requirements.txt
	touch $@

clean:
	$(CARGO) clean
	rm -rf "$(TOOLS)" "$(PEERS)" "$(VENV)" "$(CLEAN)" "$(SITE)" "$(BANK)" "$(GRAPHS)" isotherm-demo browser/node_modules browser/made

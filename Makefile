# Every target does one thing; `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help setup build test system fault soak redmine mirror explore rooms bench rides demo run \
	check format generate docs compose-test

SOURCES = $(shell git ls-files '*.swift' | grep -v /Generated/)
# Real feeds and recordings, for the tests and measurements that use them when they are there.
REAL_DATA ?= $(abspath ../shared/data)
# A module is compiled as a whole, which from scratch takes less of the processor than its files
# one by one. An index takes a quarter of the time, and editors make one of their own. Debug
# information is left out: for a debugger, use a plain `swift build`.
LEAN = --disable-index-store -Xswiftc -use-ld=lld -Xswiftc -whole-module-optimization \
	-Xswiftc -num-threads -Xswiftc 2 -Xswiftc -gnone -Xswiftc -no-emit-module-separately-wmo
BUILD = swift build $(LEAN)
TEST = STEWARD_REAL_DATA=$(REAL_DATA) swift test --disable-xctest --enable-swift-testing $(LEAN)
CHECKED = --explicit-target-dependency-import-check error
# Swift's libraries inside: a service starts in half the time, and takes less memory.
RELEASE = swift build -c release --static-swift-stdlib
# The services that have a page, the program that asks them, and what measures them.
BENCHED = $(patsubst Services/%/,%,$(dir $(wildcard Services/*/*.docc))) \
	steward bench-service steward-bench
SEED ?=
ROUNDS ?=
GRAPHS ?=
JOURNEYS ?=
ONLY ?=
SPEED ?= 75

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## /	/' | expand -t 14

setup: ## Install the packages that are missing (apt)
	@deploy/setup

build: setup ## Build everything for development
	$(BUILD)

test: setup-tests .build/browser ## Run every test but the fault tests
	$(TEST) --skip FaultTests

system: setup-tests ## Run the tests of the built programs
	$(TEST) --filter 'SystemTests|DocumentTests'

fault: setup-tests ## Kill, delay and corrupt: make fault SEED=7 ROUNDS=50 JOURNEYS=500
	SEED=$(SEED) ROUNDS=$(ROUNDS) JOURNEYS=$(JOURNEYS) $(TEST) --filter FaultTests

soak: setup-tests ## All services for hours, with kills and full disks: make soak HOURS=2
	$(BUILD)
	.build/debug/steward-soak .build/soak.tsv $(or $(HOURS),2) $(SEED)

redmine: setup-tests ## With a real Redmine server, as root: make redmine ROUNDS=300 GRAPHS=500
	$(if $(SEED),SEED=$(SEED)) ROUNDS=$(ROUNDS) GRAPHS=$(GRAPHS) \
		$(TEST) --filter 'Redmine(Mirror|Prediction)Tests'

mirror: setup-tests ## Measure the mirror of 10,000 issues at a real Redmine server, as root
	for product in project-service steward; do $(RELEASE) --product $$product || exit; done
	Tests/SystemTests/Redmine/measure_mirror.py

explore: setup-tests ## Try fresh random cases: make explore SEEDS=50 FILTER=FloorPlanTests
	SEEDS=$(or $(SEEDS),20) $(TEST) --skip FaultTests --filter '$(or $(FILTER),Tests)'
	$(if $(FILTER),,Tests/Explorer/explore $(or $(SECONDS),60) $(READER))

rooms: setup-tests ## Judge 20,000 fresh small rooms by brute force: make rooms SEEDS=100
	SEEDS=$(or $(SEEDS),100) $(TEST) --filter JudgeTests

bench: setup .build/python ## Measure the release build: make bench ONLY=web LONG=1, to .build
	for product in $(BENCHED); do $(RELEASE) --product $$product || exit; done
	PATH="$(CURDIR)/.build/python/bin:$$PATH" STEWARD_REAL_DATA=$(REAL_DATA) \
		.build/release/steward-bench .build/bench.json $(ONLY)

rides: setup ## Judge the get-off alarm on recorded rides: make rides SEED=7
	$(RELEASE) --product steward-rides
	.build/release/steward-rides $(REAL_DATA) $(SEED)

# GEOS, beside which the geometry of plans is measured; where it can't be had, it is left out.
.build/python:
	python3 -m venv $@ && $@/bin/pip install --quiet shapely==2.1.2 \
		|| { rm -rf $@; echo "measuring plans without GEOS as a reference" >&2; }

# What drives Chromium in the tests of the pages, and axe-core. Without them no page is tested in a
# browser, and the tests say so.
.build/browser: | setup-tests
	python3 -m venv $@ && $@/bin/pip install --quiet playwright==1.65.2 \
		axe-playwright-python==0.1.8 \
		|| { rm -rf $@; echo "Playwright can't be installed: pages are not tested in a browser" >&2; }

compose-test: setup-tests ## Run compose.yaml on a container engine, with crashes and a backup
	Tests/ComposeTest/compose-test

demo: build ## Show a ride, a bathroom, a day and a project, in a scratch directory
	SPEED=$(SPEED) deploy/demo/demo .build/debug

run: build ## Run every service in the foreground, with stores in .build/run
	STEWARD_DATA=$(CURDIR)/.build/run .build/debug/steward up

check: setup-tests .build/browser ## All that a change must pass
	swift format lint --strict $(SOURCES)
	Shared/Proto/generate --check
	$(BUILD) --build-tests $(CHECKED)
	deploy/docs
	ROUNDS=$(or $(ROUNDS),3) SEED=$(SEED) $(TEST) --skip-build --filter FaultTests
	$(TEST) --skip-build --skip FaultTests

docs: build ## Make the pages of the services, in .build/docs
	deploy/docs

format: ## Format the Swift code
	swift format --in-place $(SOURCES)

generate: setup-tests ## Make the code from the .proto files, and the checksums of the pages
	Shared/Proto/generate
	cd Services/web-service/Web && sha256sum *.css *.js *.png *.svg *.webmanifest > SHA256SUMS

.PHONY: setup-tests
setup-tests:
	@deploy/setup --tests

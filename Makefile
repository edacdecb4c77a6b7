# Requirements: a POSIX shell, make and any Node.js with npm. If `node` is not a supported release, Node.js 24 is installed.
NODE = $(shell scripts/node.sh)
RUN = $(NODE) --disable-warning=ExperimentalWarning
INSTALLED = node_modules/.keelson-installed
WEB = services/portal-web
CONSOLE = simulators/console
PAGES = $(WEB)/dist/index.html $(CONSOLE)/dist/index.html
STATE ?= .keelson

.PHONY: help up down drills fuzz fuzz-connections check test test-clients test-all test-repeat test-installers conformance-kube conformance-operators lint format typecheck generate bench bench-compare chaos busy soak crashes upgrade upgrade-fixtures screenshots docs sbom packages release artifacts clean

##@ Run the service

up: $(INSTALLED) $(PAGES) ## start the service with the simulated Azure and clusters, and create the cluster "demo"
	@./keelson up --detach --state $(STATE)

down: $(INSTALLED) ## stop the service that `make up` started
	@./keelson down --state $(STATE)

##@ Test

check: $(INSTALLED) ## check a change: types, lint, language, and tests that import changed files; options BASE=REF, SECONDS=N, ALL=1, PARTIAL=1
	@$(RUN) scripts/check/main.ts $(if $(BASE),--base $(BASE)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(ALL),--all) \
		$(if $(PARTIAL),--partial)

test: $(INSTALLED) $(PAGES) typecheck ## check types and run all tests that need only npm packages, except long tests
	@$(RUN) scripts/run-tests.ts .test.ts --untracked-promises

test-clients: $(INSTALLED) $(PAGES) ## run tests with external clients: Chromium, Firefox, kubectl and psql (Debian packages), az and the Python clients (PyPI packages)
	@scripts/install-clients.sh
	@scripts/install-az.sh
	@scripts/install-python.sh
	@$(RUN) scripts/run-tests.ts .client-test.ts

test-all: $(INSTALLED) $(PAGES) typecheck ## check types and run all tests including long ones; an unhandled rejection fails its test
	@$(RUN) scripts/run-tests.ts .test.ts
	@$(MAKE) --no-print-directory test-clients
	@scripts/install-ansible.sh
	@$(RUN) scripts/run-tests.ts .long-test.ts

test-repeat: $(INSTALLED) $(PAGES) ## repeat tests on a busy machine; writes a row per run to ROWS=FILE and resumes; ARGS="--suite 1 --times 5"
	@$(RUN) scripts/repeat-tests.ts $(if $(ROWS),--rows "$(ROWS)") $(ARGS)

test-installers: $(INSTALLED) ## install clusters with ARO's installer (INSTALLER=FILE) and Hive (HIVE=DIRECTORY) in the simulated world; ARGS="--only Hive"
	@$(RUN) tests/installers/main.ts $(if $(INSTALLER),--installer "$(INSTALLER)") $(if $(HIVE),--hive "$(HIVE)") $(ARGS)

conformance-kube: $(INSTALLED) ## run external test suites against the API server; OPENSHIFT_API=DIR and GO_PACKAGES="DIR ..." are checkouts
	@$(RUN) simulators/apiserver/src/testing/outside/main.ts $(if $(OPENSHIFT_API),--openshift-api "$(OPENSHIFT_API)") \
		$(foreach each,$(GO_PACKAGES),--go-package "$(each)")

conformance-operators: $(INSTALLED) ## run upstream suites of operators against a simulated cluster; SUITES="DIR ..." are Go packages; ARGS="--only REGEXP"
	@$(RUN) tests/operator-suites/main.ts --suites "$(SUITES)" $(ARGS)

lint: $(INSTALLED) ## check format, lint rules, import cycles, import rules of packages, and language
	@node_modules/.bin/biome check . || { echo 'biome found problems. Run `make format` to format changed files.' >&2; exit 1; }
	@$(RUN) scripts/check-imports.ts
	@$(RUN) scripts/check-language.ts

format: $(INSTALLED) ## format changed files and sort their imports; option BASE=REF, default main
	@$(RUN) scripts/format.ts $(if $(BASE),--base $(BASE))

typecheck: $(INSTALLED) ## check types
	@scripts/typecheck.sh

##@ Measure

bench: $(INSTALLED) ## print measurements and comparisons with other programs, and write them to .tools/bench.json
	@$(RUN) bench/main.ts --json .tools/bench.json

bench-compare: $(INSTALLED) ## run benchmark PART at commit BASE=REF and in this checkout in turn, and print ratios; ROUNDS=3, ARGS="--only GET"
	@$(RUN) bench/compare.ts $(if $(BASE),--base "$(BASE)") $(if $(PART),--part "$(PART)") $(if $(ROUNDS),--rounds "$(ROUNDS)") \
		$(if $(ARGS),--args="$(ARGS)")

##@ Long tests

fuzz: $(INSTALLED) ## send generated requests to the ARM API with schemathesis (PyPI package); MINUTES=N, default 10
	@$(RUN) tests/fuzz/main.ts --minutes $(or $(MINUTES),10)

fuzz-connections: $(INSTALLED) ## inject resets, stalls and kills between an API server and a client; MINUTES=N, default 15
	@$(RUN) tests/connections/fuzz/main.ts --minutes $(or $(MINUTES),15)

chaos: $(INSTALLED) ## inject Azure faults, kill the service and PostgreSQL under load, and verify the alert of each fault (requires promtool)
	@$(RUN) tests/chaos/main.ts

drills: $(INSTALLED) ## rehearse the drills of docs/runbooks.md with PostgreSQL, and verify alerts (requires promtool); ARGS='--only "Database down"'
	@$(RUN) tests/drills/main.ts $(ARGS)

busy: $(INSTALLED) $(PAGES) ## run the end-to-end tests and a client of `keelson up` on a busy machine; writes rows to ROWS=FILE and resumes; ARGS="--minutes 15 --loops 16"
	@$(RUN) tests/busy/main.ts $(if $(ROWS),--rows "$(ROWS)") $(ARGS)

soak: $(INSTALLED) $(PAGES) ## measure growth of memory, files and disk usage for hours; writes rows to ROWS=FILE and resumes; ARGS="--hours 8 --moved-hours 24"
	@$(RUN) tests/soak/main.ts $(if $(ROWS),--rows "$(ROWS)") $(ARGS)

crashes: $(INSTALLED) ## kill and suspend each process of `keelson up`; writes rows to ROWS=FILE and resumes; ARGS="--clusters 50 --only service"
	@$(RUN) tests/crashes/main.ts $(if $(ROWS),--rows "$(ROWS)") $(ARGS)

upgrade: $(INSTALLED) ## run this version together with each earlier version on one database; upgrades, rolls back and kills processes under load
	@$(RUN) tests/upgrade/main.ts

##@ Generate and package

generate: $(INSTALLED) ## generate OpenAPI documents, examples, clients, deployment templates, kinds, alerts, CRDs, ARO controllers, the configuration reference and the page of recorded benchmark runs
	@$(RUN) scripts/generate/main.ts
	@$(RUN) scripts/generate/deploy-templates.ts
	@$(RUN) simulators/kinds/src/builtin/generate.ts --update
	@$(RUN) operators/samples/src/status/generate-alerts.ts --update
	@$(RUN) services/monitor/src/alerts/generate.ts --update
	@$(RUN) operators/kube-apiserver/src/definition/generate.ts --update
	@$(RUN) operators/aro/src/declarations/generate.ts --update
	@$(RUN) cmd/keelson/src/configuration/generate-reference.ts --update
	@$(RUN) bench/published/performance-page.ts --update

screenshots: $(INSTALLED) $(PAGES) ## write screenshots of all pages of the portal and the console to docs/images, with Debian's Chromium
	@scripts/install-clients.sh
	@$(RUN) scripts/screenshots/main.ts

upgrade-fixtures: $(INSTALLED) ## create state directories of earlier versions that have no fixture in tests/upgrade
	@$(RUN) tests/upgrade/make-fixtures.ts

docs: $(INSTALLED) ## build the documentation as static pages with search and API reference; output: .tools/site/pages
	@$(RUN) scripts/site/main.ts

sbom: $(INSTALLED) ## write the bill of materials of the service's image (CycloneDX); output: dist/keelson.cdx.json
	@$(RUN) scripts/sbom.ts dist/keelson.cdx.json

packages: $(INSTALLED) $(PAGES) ## build npm packages that install alone: keelson, @keelson/apiserver, @keelson/sim-azure, @keelson/sim-openshift, @keelson/workflow; output: dist/*.tgz
	@$(RUN) scripts/pack.ts dist

release: $(INSTALLED) $(PAGES) ## set VERSION=x.y.z and build the release signed with KEY=FILE; DRY_RUN=1 only lists changes; ARGS="--without-images"
	@$(RUN) scripts/release.ts cut "$(VERSION)" $(if $(DRY_RUN),--dry-run)
	@$(if $(DRY_RUN),:,$(MAKE) --no-print-directory artifacts)

artifacts: $(INSTALLED) $(PAGES) ## build the files of the release at HEAD, signed with KEY=FILE, or unsigned; output: dist/release/VERSION
	@$(RUN) scripts/release.ts artifacts $(if $(KEY),--key "$(KEY)",--unsigned) $(ARGS)

##@ Other

help: ## print this help
	@awk 'BEGIN { FS = ":.*## " } /^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

clean: ## remove all files that make installed (not `.keelson`)
	rm -rf node_modules .tools

# Pages of the portal, built when their sources or packages are newer.
$(WEB)/dist/index.html: $(INSTALLED) $(WEB)/index.html $(WEB)/vite.config.ts $(shell find $(WEB)/src $(WEB)/public -type f ! -name '*test.ts' ! -path '*/testing/*')
	@$(NODE) node_modules/vite/bin/vite.js build $(WEB) --logLevel warn

# Pages of the console, built in the same way.
$(CONSOLE)/dist/index.html: $(INSTALLED) $(CONSOLE)/index.html $(CONSOLE)/vite.config.ts $(shell find $(CONSOLE)/src/pages $(CONSOLE)/src/api $(CONSOLE)/public -type f ! -name '*test.ts')
	@$(NODE) node_modules/vite/bin/vite.js build $(CONSOLE) --logLevel warn

$(INSTALLED): package-lock.json
	@scripts/node.sh >/dev/null
	@# npm runs with Node.js 24. An older Node.js skips optional packages that require a newer version, such as binaries of compilers.
	PATH="$$(dirname "$$(scripts/node.sh)"):$$PATH" npm ci --no-audit --no-fund --loglevel=error
	@touch $@

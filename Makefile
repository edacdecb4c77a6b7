# Everything here needs a POSIX shell, make and any Node with npm; Node 24 is fetched unless node is a supported release.
NODE = $(shell scripts/node.sh)
RUN = $(NODE) --disable-warning=ExperimentalWarning
INSTALLED = node_modules/.keelson-installed
WEB = services/portal-web
CONSOLE = simulators/console
PAGES = $(WEB)/dist/index.html $(CONSOLE)/dist/index.html
STATE ?= .keelson

.PHONY: help up down fuzz fuzz-connections check test test-clients test-all test-repeat test-installers conformance-kube lint typecheck generate bench chaos busy soak crashes upgrade upgrade-fixtures docs sbom packages clean

##@ Run the service

up: $(INSTALLED) $(PAGES) ## start the service on its embedded defaults and create the cluster "demo"
	@./keelson up --detach --state $(STATE)

down: $(INSTALLED) ## stop the service that `make up` started
	@./keelson down --state $(STATE)

##@ Test

check: $(INSTALLED) ## types, lint, language, and the tests that reach the change; BASE=REF, SECONDS=N, ALL=1, PARTIAL=1
	@$(RUN) scripts/check/main.ts $(if $(BASE),--base $(BASE)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(ALL),--all) \
		$(if $(PARTIAL),--partial)

test: $(INSTALLED) $(PAGES) typecheck ## types and all tests that need npm packages only, except long ones
	@$(RUN) scripts/run-tests.ts .test.ts --untracked-promises

test-clients: $(INSTALLED) $(PAGES) ## tests with outside clients: Chromium, kubectl, psql ... (Debian), az and the Python clients (PyPI)
	@scripts/install-clients.sh
	@scripts/install-az.sh
	@scripts/install-python.sh
	@$(RUN) scripts/run-tests.ts .client-test.ts

test-all: $(INSTALLED) $(PAGES) typecheck ## all tests, long ones too, with each unhandled rejection attributed to its test
	@$(RUN) scripts/run-tests.ts .test.ts
	@$(MAKE) --no-print-directory test-clients
	@scripts/install-ansible.sh
	@$(RUN) scripts/run-tests.ts .long-test.ts

test-repeat: $(INSTALLED) $(PAGES) ## repeated runs beside busy loops, one row for each in ROWS=FILE; resumes; ARGS="--suite 1 --times 5"
	@$(RUN) scripts/repeat-tests.ts $(if $(ROWS),--rows "$(ROWS)") $(ARGS)

test-installers: $(INSTALLED) ## the real installers in the simulated world; INSTALLER=FILE, HIVE=DIRECTORY are programs; ARGS="--only Hive"
	@$(RUN) tests/installers/main.ts $(if $(INSTALLER),--installer "$(INSTALLER)") $(if $(HIVE),--hive "$(HIVE)") $(ARGS)

conformance-kube: $(INSTALLED) ## upstream suites against the API server; OPENSHIFT_API=DIR, GO_PACKAGES="DIR ..." are checkouts
	@$(RUN) simulators/apiserver/src/testing/outside/main.ts $(if $(OPENSHIFT_API),--openshift-api "$(OPENSHIFT_API)") \
		$(foreach each,$(GO_PACKAGES),--go-package "$(each)")

lint: $(INSTALLED) ## format, lint, import cycles, import rules of the packages, language
	@node_modules/.bin/biome check .
	@$(RUN) scripts/check-imports.ts
	@$(RUN) scripts/check-language.ts

typecheck: $(INSTALLED) ## types of both projects
	@scripts/typecheck.sh

##@ Measure

bench: $(INSTALLED) ## measurements and their ratio to a named peer, on standard output
	@$(RUN) bench/main.ts

##@ Long tests

fuzz: $(INSTALLED) ## requests generated from the API's documents (schemathesis of PyPI); MINUTES=N, default 10
	@$(RUN) tests/fuzz/main.ts --minutes $(or $(MINUTES),10)

fuzz-connections: $(INSTALLED) ## resets, stalls and kills between an API server and a client; MINUTES=N, default 15
	@$(RUN) tests/connections/fuzz/main.ts --minutes $(or $(MINUTES),15)

chaos: $(INSTALLED) ## Azure faults, the service, components of `keelson up` and PostgreSQL killed under full load
	@$(RUN) tests/chaos/main.ts

busy: $(INSTALLED) $(PAGES) ## the end-to-end suite and a light client beside busy loops; rows in ROWS=FILE; resumes; ARGS="--minutes 15 --loops 16"
	@$(RUN) tests/busy/main.ts $(if $(ROWS),--rows "$(ROWS)") $(ARGS)

soak: $(INSTALLED) $(PAGES) ## growth over hours of clusters that come and go; rows in ROWS=FILE; resumes; ARGS="--hours 8 --moved-hours 24"
	@$(RUN) tests/soak/main.ts $(if $(ROWS),--rows "$(ROWS)") $(ARGS)

crashes: $(INSTALLED) ## each process of `keelson up` killed and suspended; rows in ROWS=FILE; resumes; ARGS="--clusters 50 --only service"
	@$(RUN) tests/crashes/main.ts $(if $(ROWS),--rows "$(ROWS)") $(ARGS)

upgrade: $(INSTALLED) ## this version beside each earlier one on one database, forward and back, under load with kills
	@$(RUN) tests/upgrade/main.ts

##@ Generate and package

generate: $(INSTALLED) ## documents, examples and clients of the ARM API, deployment templates, kinds, alerts, custom resources, ARO controllers, configuration
	@$(RUN) scripts/generate/main.ts
	@$(RUN) scripts/generate/deploy-templates.ts
	@$(RUN) simulators/kinds/src/builtin/generate.ts --update
	@$(RUN) operators/samples/src/status/generate-alerts.ts --update
	@$(RUN) services/monitor/src/alerts/generate.ts --update
	@$(RUN) operators/kube-apiserver/src/definition/generate.ts --update
	@$(RUN) operators/aro/src/declarations/generate.ts --update
	@$(RUN) cmd/keelson/src/configuration/generate-reference.ts --update

upgrade-fixtures: $(INSTALLED) ## state directories of earlier versions, for those that have no fixture in tests/upgrade
	@$(RUN) tests/upgrade/make-fixtures.ts

docs: $(INSTALLED) ## the documentation as static pages with a search and the API reference: .tools/site/pages
	@$(RUN) scripts/site/main.ts

sbom: $(INSTALLED) ## bill of materials of the service's image (CycloneDX): dist/keelson.cdx.json
	@$(RUN) scripts/sbom.ts dist/keelson.cdx.json

packages: $(INSTALLED) ## npm packages @keelson/apiserver and @keelson/workflow with their dependencies: dist/*.tgz
	@$(RUN) scripts/pack.ts dist

##@ Other

help: ## print the targets
	@awk 'BEGIN { FS = ":.*## " } /^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

clean: ## remove everything that make installed
	rm -rf node_modules .tools

# Pages of the portal, built when their sources or packages are newer.
$(WEB)/dist/index.html: $(INSTALLED) $(WEB)/index.html $(WEB)/vite.config.ts $(shell find $(WEB)/src $(WEB)/public -type f ! -name '*test.ts' ! -path '*/testing/*')
	@$(NODE) node_modules/vite/bin/vite.js build $(WEB) --logLevel warn

# Pages of the console, likewise.
$(CONSOLE)/dist/index.html: $(INSTALLED) $(CONSOLE)/index.html $(CONSOLE)/vite.config.ts $(shell find $(CONSOLE)/src/pages $(CONSOLE)/src/api $(CONSOLE)/public -type f ! -name '*test.ts')
	@$(NODE) node_modules/vite/bin/vite.js build $(CONSOLE) --logLevel warn

$(INSTALLED): package-lock.json
	@scripts/node.sh >/dev/null
	@# By Node 24: an older one leaves out optional packages that ask for a newer one, such as compilers' binaries.
	PATH="$$(dirname "$$(scripts/node.sh)"):$$PATH" npm ci --no-audit --no-fund --loglevel=error
	@touch $@

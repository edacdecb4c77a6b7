# Everything here needs a POSIX shell, make and any Node with npm; Node 24 is fetched when node is older.
NODE = $(shell scripts/node.sh)
RUN = $(NODE) --disable-warning=ExperimentalWarning
INSTALLED = node_modules/.keelson-installed
WEB = services/portal-web
PAGES = $(WEB)/dist/index.html
STATE ?= .keelson

.PHONY: up down fuzz check test test-clients conformance-kube lint typecheck generate bench chaos upgrade upgrade-fixtures docs sbom packages clean

up: $(INSTALLED) $(PAGES) ## start the service on its embedded defaults and create the cluster "demo"
	@./keelson up --detach --state $(STATE)

down: $(INSTALLED)
	@./keelson down --state $(STATE)

check: $(INSTALLED) ## types, lint, import rules, tests of what changed since main and of what imports it; BASE=REF, SECONDS=N, ALL=1
	@$(RUN) scripts/check/main.ts $(if $(BASE),--base $(BASE)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(ALL),--all)

test: $(INSTALLED) $(PAGES) typecheck ## every test that needs npm packages only
	@$(RUN) scripts/run-tests.ts .test.ts

test-clients: $(INSTALLED) $(PAGES) ## tests with Chromium, kubectl, curl, psql, dnsmasq, promtool (Debian's packages where possible), az and Python clients (PyPI)
	@scripts/install-clients.sh
	@scripts/install-az.sh
	@scripts/install-python.sh
	@PATH="$(CURDIR)/.tools/clients/bookworm/usr/bin:$$PATH" $(RUN) scripts/run-tests.ts .client-test.ts

conformance-kube: $(INSTALLED) ## suites of others against our API server: OPENSHIFT_API=FOLDER, GO_PACKAGES="FOLDER..." are checkouts
	@$(RUN) simulators/apiserver/src/testing/outside/main.ts $(if $(OPENSHIFT_API),--openshift-api "$(OPENSHIFT_API)") \
		$(foreach each,$(GO_PACKAGES),--go-package "$(each)")

lint: $(INSTALLED) ## format, lint, circles of imports; imports that the architecture forbids; words that the field does not use
	@node_modules/.bin/biome check .
	@$(RUN) scripts/check-imports.ts
	@$(RUN) scripts/check-words.ts

typecheck: $(INSTALLED)
	@node_modules/.bin/tsc -p tsconfig.json --incremental --tsBuildInfoFile .tools/types.tsbuildinfo
	@node_modules/.bin/tsc -p services/portal-web/tsconfig.json --incremental --tsBuildInfoFile .tools/web-types.tsbuildinfo

generate: $(INSTALLED) ## what is made from api/ (documents, examples, clients), services/deploy (templates), scripts/package-rows.ts (a picture) the API server's kinds (their list), the alerts of the samples operator and of the monitor with their runbooks, and the definition of KubeAPIServer
	@$(RUN) scripts/generate/main.ts
	@$(RUN) scripts/generate/deploy-templates.ts
	@$(RUN) simulators/apiserver/src/kinds/generate.ts --update
	@$(RUN) operators/samples/src/status/generate-alerts.ts --update
	@$(RUN) services/monitor/src/alerts/generate.ts --update
	@$(RUN) operators/kube-apiserver/src/definition/generate.ts --update

bench: $(INSTALLED) ## figures and their ratio to a named peer, on standard output
	@$(RUN) bench/main.ts

fuzz: $(INSTALLED) ## ten minutes of requests made from the API's documents (schemathesis of PyPI)
	@$(RUN) tests/fuzz/main.ts --minutes $(or $(MINUTES),10)

chaos: $(INSTALLED) ## Azure failing, the service and PostgreSQL killed, under full load; smaller runs are part of make test
	@$(RUN) tests/chaos/main.ts

upgrade: $(INSTALLED) ## this version beside each earlier one on one database, forward and back, under load with kills
	@$(RUN) tests/upgrade/main.ts

upgrade-fixtures: $(INSTALLED) ## what an earlier version leaves on the disk, for those of tests/upgrade that have no fixture
	@$(RUN) tests/upgrade/make-fixtures.ts

docs: $(INSTALLED) ## the documentation as static pages with a search and the API reference: .tools/site/pages
	@$(RUN) scripts/site/main.ts

sbom: $(INSTALLED) ## the bill of materials of the service's image (CycloneDX): dist/keelson.cdx.json
	@$(RUN) scripts/sbom.ts dist/keelson.cdx.json

packages: $(INSTALLED) ## what npm publishes, @keelson/apiserver and @keelson/workflow with what they need: dist/*.tgz
	@$(RUN) scripts/pack.ts dist

clean:
	rm -rf node_modules .tools

# Pages of the portal, built when their sources or packages are newer.
$(PAGES): $(INSTALLED) $(WEB)/index.html $(WEB)/vite.config.ts $(shell find $(WEB)/src $(WEB)/public -type f ! -name '*test.ts' ! -path '*/testing/*')
	@$(NODE) node_modules/vite/bin/vite.js build $(WEB) --logLevel warn

$(INSTALLED): package-lock.json
	@scripts/node.sh >/dev/null
	@# By Node 24: an older one leaves out optional packages that ask for a newer one, such as compilers' binaries.
	PATH="$$(dirname "$$(scripts/node.sh)"):$$PATH" npm ci --no-audit --no-fund --loglevel=error
	@touch $@

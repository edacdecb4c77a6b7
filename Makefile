# Everything here needs a POSIX shell, make and any Node with npm; Node 24 is fetched when node is older.
NODE = $(shell scripts/node.sh)
RUN = $(NODE) --disable-warning=ExperimentalWarning
INSTALLED = node_modules/.keelson-installed
STATE ?= .keelson

.PHONY: up down test test-clients lint typecheck bench clean

up: $(INSTALLED) ## start the service on its embedded defaults and create the cluster "demo"
	@./keelson up --detach --state $(STATE)

down: $(INSTALLED)
	@./keelson down --state $(STATE)

test: $(INSTALLED) typecheck ## every test that needs npm packages only
	@$(RUN) scripts/run-tests.ts .test.ts

test-clients: $(INSTALLED) ## tests with kubectl, curl and psql, installed from Debian's packages where possible
	@scripts/install-clients.sh
	@PATH="$(CURDIR)/.tools/clients/bookworm/usr/bin:$$PATH" $(RUN) scripts/run-tests.ts .client-test.ts

lint: $(INSTALLED)
	@node_modules/.bin/biome check .

typecheck: $(INSTALLED)
	@node_modules/.bin/tsc -p tsconfig.json

bench: $(INSTALLED) ## figures and their ratio to a named peer, on standard output
	@$(RUN) bench/main.ts

clean:
	rm -rf node_modules .tools

$(INSTALLED): package-lock.json
	@scripts/node.sh >/dev/null
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

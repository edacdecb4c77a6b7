import assert from "node:assert/strict";
import { mkdtempDisposableSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import { readServiceConfig } from "./read-config.ts";
import { parseRoleConfig, parseServiceConfig } from "./service-config.ts";

const minimal = {
  location: "eastus",
  domain: "eastus.example.org",
  tenantId: "t",
  subscriptionId: "s",
  resourceGroup: "g",
  tls: { certificateFile: "a", keyFile: "b" },
  callers: { kind: "anyone" },
  azure: { armEndpoint: "https://arm", loginEndpoint: "https://login", audience: "https://arm/" },
  firstParty: { clientId: "c", clientSecret: "d" },
  database: { kind: "embedded", directory: "x" },
  encryption: { current: "k", keys: { k: "AAAA" } },
  skipTokenKey: "AAAA",
  installer: {
    kind: "aro-installer",
    command: ["/usr/local/bin/aro-installer"],
    workingFolder: "w",
    graphKeyFile: "k",
  },
  operatorImage: "registry.example.com/keelson:v1",
  certificateIssuer: { kind: "local", caFile: "a", caKeyFile: "b" },
};

test("a minimal configuration gets production's defaults", () => {
  const config = parseServiceConfig(minimal, "test");
  assert.equal(config.port, 8443);
  assert.equal(config.leaseMs, 60_000);
  assert.equal(config.heartbeatMs, 10_000);
  assert.equal(config.workers, 100);
  assert.equal(config.azure.pollIntervalMs, 10_000);
  assert.deepEqual(config.authorizationRetry, { everyMs: 30_000, forMs: 600_000 });
  assert.deepEqual(config.installer, {
    ...minimal.installer,
    environment: {},
    processEnvironment: {},
    timeoutMs: 3_600_000,
  });
  assert.ok(Object.isFrozen(config));
});

test("a role other than the resource provider needs neither its certificate nor its keys and installer", () => {
  const { tls: _tls, callers: _callers, skipTokenKey: _key, installer: _installer, ...rest } = minimal;
  const config = parseRoleConfig(rest, "test");
  assert.equal(config.metricsPort, 9402);
  assert.deepEqual(
    Object.keys(config).filter((field) => /tls|callers|skipTokenKey|installer/.test(field)),
    [],
  );
  assert.equal(parseRoleConfig(minimal, "test").tls?.keyFile, "b", "a configuration for all roles");
  assert.throws(() => parseRoleConfig({ ...rest, installer: { kind: "none" } }, "test"), /\/installer\/kind/);
  assert.throws(() => parseRoleConfig({ ...rest, colour: 1 }, "test"), /\/colour/);
  for (const field of ["tls", "callers", "skipTokenKey", "installer"])
    assert.throws(
      () => parseServiceConfig(rest, "test"),
      (error: Error) => error.message.includes(`/${field}`),
    );
});

test("limits of subscriptions have defaults, and invalid ones are rejected", () => {
  assert.equal(parseServiceConfig(minimal, "test").operationsPerSubscription, undefined);
  const given = (more: object) => parseServiceConfig({ ...minimal, ...more }, "test");
  const { operationsPerSubscription } = given({ operationsPerSubscription: { running: 3 } });
  assert.deepEqual(operationsPerSubscription, { running: 3, queued: 250 });
  const requestLimits = { reads: { burst: 250, perSecond: 25 } };
  assert.deepEqual(given({ requestLimits }).requestLimits, requestLimits);
  for (const [more, member] of [
    [{ operationsPerSubscription: { running: 0 } }, "/operationsPerSubscription/running"],
    [{ requestLimits: { reads: { burst: 1, perSecond: 0 } } }, "/requestLimits/reads/perSecond"],
    [{ requestLimits: { looks: { burst: 1, perSecond: 1 } } }, "/requestLimits/looks"],
  ] as const)
    assert.throws(
      () => given(more),
      (error: Error) => error.message.includes(member),
    );
});

test("the monitor watches the configured namespaces, at the default interval", () => {
  const monitor = { podNamespaces: ["openshift-etcd", "payments"] };
  const usual = { everyMs: 60_000, concurrentPasses: 64, leaseMs: 60_000, heartbeatMs: 10_000 };
  assert.deepEqual(parseServiceConfig({ ...minimal, monitor }, "test").monitor, { ...monitor, ...usual });
});

test("verified callers are accepted on any address, `anyone` only on a loopback address", () => {
  const rule = { certificates: { kind: "listed", file: "a" } };
  const verified = { ...minimal, host: "0.0.0.0", callers: { kind: "verified", arm: rule, admin: rule } };
  assert.equal(parseServiceConfig(verified, "test").host, "0.0.0.0");
  for (const host of ["127.0.0.1", "127.0.0.2", "::1"])
    assert.equal(parseServiceConfig({ ...minimal, host }, "test").host, host);
});

test("the error of a configuration without the operator's image gives an example", () => {
  const { operatorImage: _, ...rest } = minimal;
  const says =
    /^test: \/operatorImage is missing \(container image of the operator in clusters, with its tag, .*example/;
  assert.throws(
    () => parseServiceConfig(rest, "test"),
    (error: Error) => says.test(error.message),
  );
});

test("keys can come from a file that is read every minute", () => {
  const { encryption } = parseServiceConfig({ ...minimal, encryption: { keysFile: "keys.json" } }, "test");
  assert.deepEqual(encryption, { keysFile: "keys.json", refreshMs: 60_000 });
});

test("keys can come from a key vault that is polled every five minutes", () => {
  const keyVault = { url: "https://name.vault.azure.net", secretName: "keys" };
  const { encryption } = parseServiceConfig({ ...minimal, encryption: { keyVault } }, "test");
  const filled = { ...keyVault, audience: "https://vault.azure.net" };
  assert.deepEqual(encryption, { keyVault: filled, refreshMs: 300_000 });
});

const wrong = [
  {
    name: "a key vault without TLS",
    change: { encryption: { keyVault: { url: "http://name.vault.azure.net", secretName: "keys" } } },
    says: /encryption/,
  },
  {
    name: "an invalid name of a key vault's secret",
    change: { encryption: { keyVault: { url: "https://name.vault.azure.net", secretName: "a/b" } } },
    says: /encryption/,
  },
  {
    name: "keys both in the configuration and in a file",
    change: { encryption: { keysFile: "f", current: "k", keys: { k: "AAAA" } } },
    says: /encryption/,
  },
  { name: "an unknown field", change: { colour: "red" }, says: /colour/ },
  {
    name: "an unknown field of an object",
    change: { tls: { ...minimal.tls, colour: 1 } },
    says: /tls.*colour/s,
  },
  { name: "a wrong type", change: { port: "many" }, says: /port/ },
  { name: "a port out of range", change: { port: 70_000 }, says: /port/ },
  { name: "a missing field", change: { location: undefined }, says: /location/ },
  {
    name: "an image without a tag",
    change: { operatorImage: "registry:5000/keelson" },
    says: /\/operatorImage must match .* \(container image of the operator/,
  },
  { name: "a too short lease", change: { leaseMs: 5 }, says: /leaseMs/ },
  {
    name: "a heartbeat that comes after the end of its lease",
    change: { leaseMs: 10_000, heartbeatMs: 10_000 },
    says: /\/heartbeatMs must be less than \/leaseMs/,
  },
  ...["0.0.0.0", "::", "10.0.0.4", "localhost", "rp.example.org"].map((host) => ({
    name: `anyone as caller on ${host}`,
    change: { host },
    says: /\/host must be a loopback address/,
  })),
  {
    name: "a URL of identities' credentials outside of their data plane",
    change: {
      managedIdentities: {
        audience: "https://identity.azure.net",
        identityUrl: "https://example.org/credentials",
        checkAccess: { url: "https://eastus.authorization.azure.net/x" },
        oidcIssuer: { endpoint: "https://oidc.example", containerUrl: "https://blobs.example/$web" },
      },
    },
    says: /\/managedIdentities\/identityUrl must be a URL of identity\.azure\.net or a host below it/,
  },
  {
    name: "an invalid URL of Azure",
    change: { azure: { ...minimal.azure, loginEndpoint: "login.example" } },
    says: /\/azure\/loginEndpoint/,
  },
  {
    name: "an invalid namespace",
    change: { monitor: { podNamespaces: ["Open/Shift"] } },
    says: /\/monitor\/podNamespaces/,
  },
  {
    name: "a monitor with a too short interval",
    change: { monitor: { everyMs: 0 } },
    says: /\/monitor\/everyMs/,
  },
  {
    name: "a monitor without passes",
    change: { monitor: { concurrentPasses: 0 } },
    says: /\/monitor\/concurrentPasses/,
  },
  {
    name: "a monitor that loses its clusters after one late heartbeat",
    change: { monitor: { leaseMs: 15_000 } },
    says: /\/monitor\/heartbeatMs must be at most half of \/monitor\/leaseMs/,
  },
  {
    name: "two defaults",
    change: {
      versions: [
        { version: "4.18.1", default: true },
        { version: "4.19.1", default: true },
      ],
    },
    says: /\/versions must have one default only/,
  },
  {
    name: "a Cosmos DB without TLS",
    change: { database: { kind: "cosmos", endpoint: "http://account.documents.azure.com" } },
    says: /json: \/database\/endpoint must match [^;]*$/,
  },
  {
    name: "an unknown database",
    change: { database: { kind: "oracle" } },
    says: /\/database\/kind must be one of embedded, postgres, cosmos$/,
  },
  {
    name: "a portal with a path",
    change: { portal: { url: "https://portal/x", certificateFile: "a" } },
    says: /portal/,
  },
  { name: "a Hive without a kubeconfig", change: { hive: {} }, says: /hive/ },
  {
    name: "an installer of an unknown kind",
    change: { installer: { kind: "podman" } },
    says: /\/installer\/kind must be one of/,
  },
  {
    name: "the installer `hive` without a Hive",
    change: { installer: { kind: "hive", graphKeyFile: "k" } },
    says: /\/hive is required/,
  },
  {
    name: "an image version that is not concrete",
    change: {
      versions: [
        {
          version: "4.99.1",
          default: true,
          machineImages: { hyperVGen1: { publisher: "p", offer: "o", sku: "s", version: "latest" } },
        },
      ],
    },
    says: /versions\/0\/machineImages\/hyperVGen1\/version/,
  },
  {
    name: "an invalid version",
    change: { versions: [{ version: "latest", default: true }] },
    says: /versions/,
  },
];
for (const { name, change, says } of wrong) {
  test(`rejected with its path: ${name}`, () => {
    assert.throws(() => parseServiceConfig({ ...minimal, ...change }, "service.json"), says);
    assert.throws(() => parseServiceConfig({ ...minimal, ...change }, "service.json"), /service\.json/);
  });
}

test("all faults are reported together", () => {
  assert.throws(
    () => parseServiceConfig({ ...minimal, port: -1, workers: 0, colour: 1 }, "f"),
    (error: Error) => ["port", "workers", "colour"].every((member) => error.message.includes(member)),
  );
});

test("the error of a file that is not JSON does not quote its content", () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-env-"));
  const path = join(directory, "service.json");
  for (const text of ['{"clientSecret": hunter2}', '{"clientSecret": "hunter2"', '{"a": 1 "hunter2": 2}']) {
    writeFileSync(path, text);
    assert.throws(
      () => readServiceConfig(path),
      (error: Error) =>
        /service\.json cannot be read: it is not JSON/.test(error.message) && !/hunter/.test(inspect(error)),
    );
  }
  rmSync(directory, { recursive: true });
});

test("lines that begin with // are comments, and the position of a syntax error counts them", () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-config-"));
  const path = join(directory.path, "service.json");
  const { location, ...rest } = minimal;
  const body = JSON.stringify({ ...rest, domain: "a.example//b" }, null, 2).slice(1);
  writeFileSync(path, `// first\n{\n  // "location": "west",\n  "location": "${location}",${body}`);
  const { location: read, domain } = readServiceConfig(path);
  assert.deepEqual([read, domain], ["eastus", "a.example//b"]);
  writeFileSync(path, "// first\n{\n  // second\n  x\n}");
  assert.throws(() => readServiceConfig(path), /it is not JSON \(line 4 column 3\)/);
});

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gatewayHosts, readGatewayConfig } from "./gateway-config.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-gateway-"));
after(() => rmSync(directory, { recursive: true }));

const minimal = {
  location: "eastus",
  azure: {
    armEndpoint: "https://management.azure.com",
    loginEndpoint: "https://login.microsoftonline.com",
    audience: "https://management.azure.com/",
  },
  database: { kind: "postgres", url: "postgres://gateway@db/keelson" },
};

function read(value: unknown) {
  const path = join(directory, "gateway.json");
  writeFileSync(path, JSON.stringify(value));
  return readGatewayConfig(path);
}

test("what is left out has the original's ports and times", () => {
  const { connectPort, tlsPort, metricsPort, serveOnMs } = read(minimal);
  assert.deepEqual(
    { connectPort, tlsPort, metricsPort, serveOnMs },
    {
      connectPort: 8_080,
      tlsPort: 8_443,
      metricsPort: 8_081,
      serveOnMs: 45_000,
    },
  );
});

test("hosts are those of Azure, of the registry with its layers, and those that are named", () => {
  const config = read({ ...minimal, registryDomain: "name.azurecr.io", domains: ["*.example.com"] });
  assert.deepEqual(gatewayHosts(config), {
    hosts: [
      "*.example.com",
      "login.microsoftonline.com",
      "management.azure.com",
      "name.azurecr.io",
      "name.eastus.data.azurecr.io",
    ],
    storageSuffix: "core.windows.net",
  });
});

test("a cloud that is not an Azure cloud needs the suffix of its storage accounts", () => {
  const azure = { ...minimal.azure, armEndpoint: "https://localhost:8444" };
  assert.throws(() => read({ ...minimal, azure }), /set storageSuffix, for example core\.windows\.net/);
  assert.equal(gatewayHosts(read({ ...minimal, azure, storageSuffix: "local" })).storageSuffix, "local");
});

const faults: readonly (readonly [what: string, change: object, expected: RegExp])[] = [
  ["a key that opens documents", { encryption: {} }, /\/encryption is unknown/],
  ["an invalid domain", { domains: ["https://example.com"] }, /\/domains\/0/],
  ["an invalid port", { tlsPort: 70_000 }, /\/tlsPort/],
  ["a limit of nothing", { limits: { total: 0 } }, /\/limits\/total/],
  [
    "a second source of the password",
    { database: { ...minimal.database, passwordFile: "/p", passwordCommand: ["p"] } },
    /\/database has both passwordFile and passwordCommand/,
  ],
];
for (const [what, change, expected] of faults)
  test(`${what} is refused by name`, () => assert.throws(() => read({ ...minimal, ...change }), expected));

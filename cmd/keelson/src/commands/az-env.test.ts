import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import type { Endpoints } from "../state/endpoints.ts";
import { azureVariables, exportsOf, unsetCommand } from "./az-env.ts";

const endpoints: Endpoints = {
  rp: "https://localhost:1",
  arm: "https://localhost:2",
  login: "https://localhost:2",
  graph: "https://localhost:2",
  keyVaultSuffix: "",
  portal: "",
  clusters: "https://localhost:3",
  metrics: "http://localhost:4/metrics",
  admin: "https://localhost:5",
  dns: "127.0.0.1:7",
  proxy: "http://127.0.0.1:6",
  caFile: "/state/it's here/ca.pem",
  subscriptionId: "subscription",
  tenantId: "tenant",
  clientId: "client",
  clientSecret: '$(secret) `secret` "secret" \\',
  location: "eastus",
};

test("a shell takes every value as it is, whatever stands in it", () => {
  const variables = azureVariables(endpoints, "/state/azure-cli");
  const script = `${exportsOf(variables)}\nenv -0`;
  const environment = new Map(
    execFileSync("/bin/sh", ["-c", script], { encoding: "utf8", env: {} })
      .split("\0")
      .map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)] as const),
  );
  for (const [name, value] of Object.entries(variables)) assert.equal(environment.get(name), value);
});

test("unset removes every variable", () => {
  const exports = exportsOf(azureVariables(endpoints, "/state/azure-cli"));
  const script = `${exports}export OTHER=kept\n${unsetCommand()}\nenv`;
  const left = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8", env: {} });
  assert.deepEqual(
    left.split("\n").filter((line) => !/^(PWD|SHLVL|_|)=|^$/.test(line)),
    ["OTHER=kept"],
  );
});

test("clients come by the proxy, except to this machine, and trust the local authority", () => {
  const variables = azureVariables(endpoints, "/state/azure-cli");
  for (const name of ["HTTPS_PROXY", "https_proxy"]) assert.equal(variables[name], endpoints.proxy);
  for (const name of ["NO_PROXY", "no_proxy"])
    assert.match(variables[name] ?? "", /^localhost,.*127\.0\.0\.1/);
  for (const name of ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"]) {
    assert.equal(variables[name], endpoints.caFile);
  }
  assert.equal(variables.AZURE_CONFIG_DIR, "/state/azure-cli");
});

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lastControlPort } from "./endpoints.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-endpoints-"));
after(() => rmSync(directory, { recursive: true }));

const https = "https://localhost:1";
const earlier = {
  ...{ rp: https, arm: https, login: https, graph: https, portal: https, clusters: https, metrics: https },
  ...{ keyVaultSuffix: "vault.azure.net", admin: https, proxy: https, dns: "127.0.0.1:1", caFile: "/ca.pem" },
  ...{ subscriptionId: "s", tenantId: "t", clientId: "c", clientSecret: "x", location: "eastus" },
};

test("a start uses the control API's last port, if a readable endpoints.json names one", () => {
  assert.equal(lastControlPort(directory), undefined, "first start");
  const write = (text: string) => writeFileSync(join(directory, "endpoints.json"), text, { mode: 0o600 });
  write(JSON.stringify(earlier));
  assert.equal(lastControlPort(directory), undefined, "file of an earlier release");
  write(JSON.stringify({ ...earlier, control: "https://localhost:4711" }));
  assert.equal(lastControlPort(directory), 4711);
  write("{");
  assert.equal(lastControlPort(directory), undefined, "unreadable file");
});

/**
 * Tests administrators' requests with tokens. The tests cover the person for whom a request is sent, audit lines and elevated
 * sessions.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { type SimulatedCluster, startSimulatedCluster } from "@keelson/admin-actions/testing";
import type { Admission } from "@keelson/auth";
import { captureLog } from "../testing/captured-log.ts";
import { newCluster } from "../testing/clusters.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const person = { rights: "elevated", subject: "tenant/eve", vouchesForNames: false } as const;
const tool = { rights: "elevated", subject: "application tool", vouchesForNames: true } as const;
const namesAlice: readonly Record<string, string>[] = [
  { "x-ms-client-principal-name": "alice@example.com" },
  { "x-ms-arm-resource-system-data": JSON.stringify({ lastModifiedBy: "alice@example.com" }) },
  { "x-ms-arm-resource-system-data": JSON.stringify({ createdBy: "alice@example.com" }) },
];

const log = captureLog();
let admission: Admission = person;
let cluster: SimulatedCluster;
let frontend: TestFrontend;
let id: string;

before(async () => {
  cluster = await startSimulatedCluster();
  frontend = await startTestFrontend({
    authorizer: async () => ({ authorize: async () => admission, ready: () => true }),
    connectCluster: cluster.connect,
    portal: () => ({ url: "https://portal.example", certificatePem: "x" }),
    logger: log.logger,
  });
  ({ id } = await newCluster(frontend));
});
beforeEach(() => {
  admission = person;
});
after(async () => {
  await frontend?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

const elevatedKubeconfig = (headers: Record<string, string> = {}) =>
  frontend.client.post(`/admin${id}/kubeconfig/newelevated`, { headers });

async function sessionOf(response: { readonly text: string }) {
  const { users } = JSON.parse(response.text);
  const key = createHash("sha256").update(users[0].user.token).digest("hex");
  const signal = AbortSignal.timeout(900_000);
  return (await frontend.database.collections.portalSessions.find(key, key, signal))?.document;
}

const ownerOf = async (response: { readonly text: string }) => (await sessionOf(response))?.portal.username;

function lastAudit(): Record<string, unknown> {
  const lines = log
    .text()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.findLast(({ logKind }) => logKind === "audit");
}

for (const headers of namesAlice)
  test(`a token of a person may not name a second person: ${Object.entries(headers)}`, async () => {
    const response = await elevatedKubeconfig(headers);
    assert.equal(response.status, 403, response.text);
    assert.match(`${Object(response.json.error).message}`, /may not act for a person that headers name/);
    assert.equal(lastAudit().subject, "tenant/eve");
  });

test("an elevated kubeconfig of a token without such headers belongs to the token's subject", async () => {
  const response = await elevatedKubeconfig();
  assert.equal(response.status, 200, response.text);
  assert.equal(await ownerOf(response), "tenant/eve");
  const { subject, caller } = lastAudit();
  assert.deepEqual([subject, caller], ["tenant/eve", "tenant/eve"]);
});

test("an elevated kubeconfig of an activated role ends with this role", async () => {
  const from = new Date().toISOString();
  admission = { ...person, elevation: { from, until: new Date(Date.now() + 300_000) } };
  const session = await sessionOf(await elevatedKubeconfig());
  assert.ok(session);
  assert.deepEqual([session.elevationOf, session.elevationFrom], ["tenant/eve", from]);
  assert.ok(session.ttlSeconds <= 300, `${session.ttlSeconds}`);
  const readOnly = await frontend.client.post(`/admin${id}/kubeconfig/new`);
  const unbound = await sessionOf(readOnly);
  assert.ok(unbound);
  assert.deepEqual([unbound.elevationOf, unbound.elevationFrom], [undefined, undefined]);
});

test("an application that vouches for names acts for the person that it names, and the audit keeps both", async () => {
  admission = tool;
  for (const headers of namesAlice) {
    const response = await elevatedKubeconfig(headers);
    assert.equal(response.status, 200, response.text);
    assert.equal(await ownerOf(response), "alice@example.com");
    assert.equal(lastAudit().subject, "application tool");
  }
});

test("an elevated kubeconfig without a known person is refused", async () => {
  admission = true;
  const response = await elevatedKubeconfig();
  assert.equal(response.status, 403);
  assert.match(`${Object(response.json.error).message}`, /Elevated access needs a known person/);
  assert.equal((await frontend.client.post(`/admin${id}/kubeconfig/new`)).status, 200);
});

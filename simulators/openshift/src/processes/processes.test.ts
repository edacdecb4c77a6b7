import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:https";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import {
  createCertificateAuthority,
  issueCertificate,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { startAdminServer } from "../admin/admin-server.ts";
import { BootProblems } from "../boot/boot-problems.ts";
import { FaultRegistry } from "../faults/fault-registry.ts";
import { ImageRules } from "../kubelet/processes/image-rules.ts";
import { UpdateSource } from "../updates/update-source.ts";
import { getFromAdmin } from "./admin-request.ts";
import type { AdminEndpoint } from "./cluster-share.ts";
import { followSettings } from "./follow-settings.ts";
import { SettingsFeed } from "./settings-feed.ts";
import { applySettings, type SettingsStores } from "./world-settings.ts";

const signal = AbortSignal.timeout(900_000);
const token = new Secret("open-sesame");
const authority = await createCertificateAuthority("test", 1);
const tls = await issueCertificate(authority, {
  commonName: "localhost",
  dnsNames: ["localhost"],
  usage: "server",
  validDays: 1,
});

function newStores(): SettingsStores {
  return {
    faults: new FaultRegistry(systemClock),
    imageRules: new ImageRules(),
    updates: new UpdateSource(),
  };
}

/** Starts the administration server of one process. */
async function startProcess(
  stores: SettingsStores,
  { isFirst, port = 0, others = [] }: { isFirst: boolean; port?: number; others?: readonly AdminEndpoint[] },
) {
  const bootProblems = new BootProblems(async () => undefined, silentLogger);
  const feed = new SettingsFeed(stores, systemClock);
  const server = await startAdminServer(
    { host: "localhost", port, tls, token },
    {
      ...stores,
      bootProblems,
      serves: (name) => name === "api.two.example",
      feed: isFirst ? feed : undefined,
      others,
      connectMachine: () => new PassThrough(),
      logger: silentLogger,
    },
  );
  const endpoint = { url: `https://localhost:${server.port}`, caPem: authority.certificatePem, token };
  return { feed, bootProblems, endpoint, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function follow(admin: AdminEndpoint, stores: SettingsStores) {
  const stop = new AbortController();
  const deps = { clock: systemClock, logger: silentLogger };
  const following = followSettings(
    { admin, process: 1 },
    (each) => applySettings(stores, each),
    deps,
    stop.signal,
  );
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
    },
  };
}

test("a further process has the faults, image rules and updates of the first one, and a change is confirmed", async () => {
  const [first, second] = [newStores(), newStores()];
  const slow = first.faults.set({ kind: "api-slow", parameters: { delayMs: 5 } });
  await using server = await startProcess(first, { isFirst: true });
  await using _following = follow(server.endpoint, second);
  await eventually(() => assert.deepEqual(second.faults.list(), [slow]));
  // The change is repeated until it is applied, because the next request of the second process may not have arrived yet.
  const graph = { nodes: [{ version: "4.19.1", payload: "quay.io/a@sha256:b", metadata: {} }], edges: [] };
  await eventually(async () => {
    first.updates.program(graph);
    await server.feed.changed();
    assert.deepEqual(second.updates.graph, graph);
  });
  const rule = first.imageRules.set({ prefix: "quay.io/tool", exitCode: 3, afterMs: 0 });
  await server.feed.changed();
  assert.deepEqual(second.imageRules.list(), [rule]);
  first.faults.clear();
  first.updates.program(undefined);
  await server.feed.changed();
  assert.deepEqual(second.faults.list(), []);
  assert.equal(second.updates.graph, undefined);
});

test("a further process follows a restarted first process, whose faults are gone", async () => {
  const second = newStores();
  const before = newStores();
  before.faults.set({ kind: "api-unhealthy", parameters: {} });
  const earlier = await startProcess(before, { isFirst: true });
  await using _following = follow(earlier.endpoint, second);
  await eventually(() => assert.equal(second.faults.list().length, 1));
  await earlier[Symbol.asyncDispose]();
  const port = Number(new URL(earlier.endpoint.url).port);
  await using _later = await startProcess(newStores(), { isFirst: true, port });
  await eventually(() => assert.equal(second.faults.list().length, 0));
});

test("the first process lists boot problems of all processes, without those that do not respond", async () => {
  await using second = await startProcess(newStores(), { isFirst: false });
  await second.bootProblems.add("demo-x7k2p", { id: "/vm", name: "vm" }, "no such host");
  const gone = { ...second.endpoint, url: "https://localhost:1" };
  await using first = await startProcess(newStores(), { isFirst: true, others: [gone, second.endpoint] });
  const listed = await getFromAdmin(first.endpoint, "/faults", signal);
  assert.deepEqual(listed, { items: second.bootProblems.list() });
});

test("a process reports the host names that it serves, and only the first process accepts changes", async () => {
  await using second = await startProcess(newStores(), { isFirst: false });
  assert.deepEqual(await getFromAdmin(second.endpoint, "/names/api.two.example", signal), {});
  assert.equal(await getFromAdmin(second.endpoint, "/names/api.one.example", signal), undefined);
  assert.equal(await getFromAdmin(second.endpoint, "/settings", signal), undefined);
  const outgoing = request(new URL("/faults", second.endpoint.url), {
    method: "DELETE",
    ca: authority.certificatePem,
    headers: { authorization: `Bearer ${token.reveal()}` },
    agent: false,
  });
  outgoing.end();
  const [response] = await once(outgoing, "response");
  response.resume();
  assert.equal(response.statusCode, 409);
});

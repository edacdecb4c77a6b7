import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type SimulatedCluster, startSimulatedCluster } from "@keelson/admin-actions/testing";
import type { ResourceKey } from "@keelson/arm";
import { create, replace } from "@keelson/database";
import { portalEventSchemas, portalRoutes } from "@keelson/portal-api";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { bothKubeconfigs, storeCluster, subscriptionId as subscription } from "./testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "./testing/test-portal.ts";

const signal = AbortSignal.timeout(900_000);
let at: TestPortal;
let cluster: SimulatedCluster;
let url: string;
let id: string;
let reader: Person;
let administrator: Person;

before(async () => {
  [at, cluster] = await Promise.all([
    startTestPortal({ ssh: { hostKey: "ssh-rsa AAAA", port: 2222 } }),
    startSimulatedCluster(),
  ]);
  url = at.portal.url;
  id = await putCluster(cluster.kubeconfig);
  [reader, administrator] = await Promise.all([at.signedIn("reader"), at.signedIn("administrator")]);
});
after(async () => {
  await at?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

/**
 * Stores a cluster and returns its lower-case ID. If `kubeconfig` is set, the stored cluster contains it as the service's and as
 * the SREs' kubeconfig.
 */
const putCluster = (kubeconfig?: string) =>
  storeCluster(at.database, kubeconfig === undefined ? {} : bothKubeconfigs(kubeconfig));

const dataPath = (resourceId: string) => {
  const [, , subscriptionId, , group, , , , name] = resourceId.split("/");
  return `/api/${subscriptionId}/${group}/${name}`;
};

const get = ({ browser }: Person, path: string, headers: Record<string, string> = {}) =>
  browser.send(url, path, { headers });

const post = ({ browser, csrf }: Person, path: string, body?: string, type = "application/json") =>
  browser.send(url, path, {
    method: "POST",
    headers: { "x-csrf-token": csrf, ...(body === undefined ? {} : { "content-type": type }) },
    body,
  });

function assertShape(schema: TSchema, value: unknown): void {
  assert.deepEqual(
    Value.Errors(schema, value).map(({ instancePath, message }) => `${instancePath} ${message}`),
    [],
  );
}

describe("clusters", () => {
  test("every response has the shape that pages require", async () => {
    for (const [name, route] of Object.entries(portalRoutes)) {
      if (route.method !== "GET" || !("response" in route) || ["statistics", "alerts"].includes(name))
        continue;
      // These routes are tested in routes/inside.test.ts, because they need an OpenShift cluster or the name of an object.
      if (["machines", "machineSets", "clusterOperators", "actionRequest"].includes(name)) continue;
      if (["containerLog", "objects", "object"].includes(name)) continue;
      // These routes are tested in routes/azure-resources.test.ts, because they need an admin API.
      if (["azureResources", "serialConsole", "effectiveRoutes"].includes(name)) continue;
      const person = name === "recordings" ? administrator : reader;
      const response = await get(
        person,
        route.path.replace("{C}", dataPath(id)).replace("{operationId}", "o"),
      );
      assert.equal(response.status, 200, `${name} ${response.text}`);
      assertShape(route.response, JSON.parse(response.text));
    }
  });

  test("the list is in the order of keys, JSON is indented by four, and long responses are gzipped", async () => {
    for (let at = 0; at < 8; at++) await putCluster();
    const { text, headers } = await get(reader, "/api/clusters");
    assert.equal(headers["content-encoding"], "gzip");
    assert.ok(text.length > 4_096 && Number(headers["content-length"]) < text.length / 2);
    const clusters: { key: string; resourceId: string }[] = JSON.parse(text);
    assert.ok(clusters.some(({ resourceId }) => resourceId.toLowerCase() === id));
    assert.deepEqual(
      clusters.map(({ key }) => key),
      clusters.map(({ key }) => key).toSorted(),
    );
    assert.ok(text.startsWith("[\n    {\n        "));
  });

  test("nodes come from the cluster", async () => {
    const { nodes } = JSON.parse((await get(reader, `${dataPath(id)}/nodes`)).text);
    assert.equal(nodes.length, 4);
  });

  test("unknown clusters, clusters without an API server and clusters that do not respond are distinct", async () => {
    const [unknown, bare] = [id.replace(/[^/]+$/, "none"), await putCluster()];
    const gone = await putCluster(cluster.kubeconfig.replace(/https:\/\/[^\s"]+/, "https://127.0.0.1:9"));
    const outcomes = await Promise.all(
      [unknown, bare, gone].map(async (each) => {
        const { status, text } = await get(reader, `${dataPath(each)}/nodes`);
        return [status, JSON.parse(text).error.code];
      }),
    );
    assert.deepEqual(outcomes, [
      [404, "NotFound"],
      [409, "Conflict"],
      [502, "ClusterFailed"],
    ]);
  });

  test("statistics and Prometheus refuse invalid queries", async () => {
    const statistics = (query: string) => get(reader, `${dataPath(id)}/statistics/${query}`);
    const end = "endtime=2026-01-01T00:00:00Z";
    for (const query of [
      `nope?duration=1h&${end}`,
      `kubeapicpu?duration=1x&${end}`,
      `kubeapicpu?duration=-1h&${end}`,
      "kubeapicpu?duration=1h&endtime=yesterday",
      `kubeapicpu?duration=1345h&${end}`,
      `constructor?duration=1h&${end}`,
    ])
      assert.equal((await statistics(query)).status, 400, query);
    const redirect = await get(reader, `${id}/prometheus`);
    assert.deepEqual([redirect.status, redirect.headers.location], [307, `${id}/prometheus/`]);
    for (const path of ["api/v1/admin/tsdb/snapshot", "-/reload", "-/quit", "api/v1/write"])
      assert.equal((await get(reader, `${id}/prometheus/${path}`)).status, 403, path);
  });
});

describe("ways into a cluster", () => {
  const nodesThrough = async (text: string) => {
    const config = JSON.parse(text);
    const { server } = config.clusters[0].cluster;
    const path = `${new URL(server).pathname}/api/v1/nodes`;
    const { token } = config.users[0].user;
    const headers = { authorization: `Bearer ${token}` };
    return (await at.newBrowser().send(url, path, { headers })).status;
  };

  test("a kubeconfig has the rights of the person, is listed without its token, and ends when it is revoked", async () => {
    for (const [person, suffix, elevated] of [
      [reader, "", false],
      [administrator, "-elevated", true],
    ] as const) {
      const response = await post(person, `${id}/kubeconfig/new`);
      assert.equal(response.status, 200, response.text);
      const name = id.split("/").at(-1);
      assert.equal(
        response.headers["content-disposition"],
        `attachment; filename="${name}${suffix}.kubeconfig"`,
      );
      assert.equal(await nodesThrough(response.text), 200);
      const { sessions } = JSON.parse((await get(person, `${dataPath(id)}/sessions`)).text);
      assert.equal(sessions[0].elevated, elevated);
      assert.equal(Date.parse(sessions[0].expiresAt) - Date.parse(sessions[0].createdAt), 21_600_000);
      const { token } = JSON.parse(response.text).users[0].user;
      assert.ok(!JSON.stringify(sessions).includes(token));
      const { browser, csrf } = person;
      const ended = await browser.send(url, `${dataPath(id)}/sessions/${sessions[0].id}`, {
        method: "DELETE",
        headers: { "x-csrf-token": csrf },
      });
      assert.equal(ended.status, 204);
      assert.equal(await nodesThrough(response.text), 403);
    }
  });

  test("sessions of other people end only with all rights, and sessions of other clusters not at all", async () => {
    await post(administrator, `${id}/kubeconfig/new`);
    const { sessions } = JSON.parse((await get(reader, `${dataPath(id)}/sessions`)).text);
    const other = await putCluster();
    const end = ({ browser, csrf }: Person, resourceId: string) =>
      browser.send(url, `${dataPath(resourceId)}/sessions/${sessions[0].id}`, {
        method: "DELETE",
        headers: { "x-csrf-token": csrf },
      });
    assert.equal((await end(reader, id)).status, 403);
    assert.equal((await end(administrator, other)).status, 404);
    assert.equal((await end(administrator, id)).status, 204);
  });

  test("SSH is for people with all rights, to a master that there is", async () => {
    const path = `${id}/ssh/new`;
    for (const [body, type, status] of [
      ['{"master":3}', "application/json", 400],
      ['{"master":"0"}', "application/json", 400],
      ["{", "application/json", 400],
      ['{"master":0}', "text/plain", 415],
      [JSON.stringify({ master: 0, more: "x".repeat(70_000) }), "application/json", 413],
    ] as const)
      assert.equal((await post(administrator, path, body, type)).status, status, body.slice(0, 20));
    const refused = await post(reader, path, '{"master":0}');
    assert.deepEqual(JSON.parse(refused.text), { error: "Elevated access is required." });
    const { command, password } = JSON.parse((await post(administrator, path, '{"master":1}')).text);
    assert.match(command, / -p 2222 administrator@localhost$/);
    assert.match(password, /^[0-9a-f-]{36}$/);
    assert.ok(!JSON.stringify(at.lines).includes(password));
  });

  test("what was done is in the activity and in the audit", async () => {
    await post(administrator, `${id}/ssh/new`, '{"master":2}');
    const { activity } = JSON.parse((await get(reader, `${dataPath(id)}/activity`)).text);
    const [newest] = activity;
    assert.deepEqual(
      [newest.kind, newest.title, newest.who],
      ["session", "SSH to master-2", "administrator@keelson.local"],
    );
    const line = at.lines.findLast(
      ({ logKind, operation }) => logKind === "audit" && `${operation}`.endsWith("/ssh/new"),
    );
    assert.deepEqual([line?.caller, line?.result], ["administrator@keelson.local", "Success"]);
  });
});

describe("events", () => {
  test("events arrive as they happen, and a reconnected client receives the missed ones", async () => {
    const stream = await at.events(reader);
    assert.equal((await stream.next()).name, "resync");
    await stream.until("resync");
    const added = await putCluster();
    const event = await stream.until("cluster");
    assertShape(portalEventSchemas.cluster, event.data);
    assert.equal(event.data.resourceId.toLowerCase(), added);
    stream.end();
    await changeVersion(added, "4.99.0");
    const again = await at.events(reader, { "last-event-id": event.id });
    const missed = await again.until("cluster");
    assert.equal(missed.data.version, "4.99.0");
    again.end();
  });

  test("a new client receives the running operations without a change", async () => {
    const first = await at.events(reader);
    await first.until("resync");
    const { operations } = at.database.collections;
    const [id, startTime] = [randomUUID(), "2026-01-01T00:00:00Z"];
    const document = {
      ...{ id, partitionKey: subscription, openShiftClusterKey: (await putCluster()) as ResourceKey },
      kind: "Updating" as const,
      asyncOperation: { id, name: id, status: "Updating" as const, startTime },
    };
    const result = await at.database.commit(subscription, [create(operations, document)], { signal });
    assert.equal(result.kind, "committed");
    await first.until("operation");
    first.end();
    const second = await at.events(reader);
    assert.equal((await second.next()).name, "resync");
    const event = await second.until("operation");
    assertShape(portalEventSchemas.operation, event.data);
    assert.equal(event.data.id, id);
    second.end();
  });

  test("one person has a limited number of streams", async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => at.events(administrator)));
    assert.equal((await get(administrator, "/api/events")).status, 429);
    for (const stream of streams) stream.end();
  });
});

async function changeVersion(key: string, version: string): Promise<void> {
  const { clusters } = at.database.collections;
  const stored = await clusters.findBy(subscription, "key", key, signal);
  assert.ok(stored);
  const { openShiftCluster } = stored.document;
  const { properties } = openShiftCluster;
  const clusterProfile = { ...properties.clusterProfile, version };
  const document = {
    ...stored.document,
    openShiftCluster: { ...openShiftCluster, properties: { ...properties, clusterProfile } },
  };
  const write = replace(clusters, stored, document);
  assert.equal((await at.database.commit(subscription, [write], { signal })).kind, "committed");
}

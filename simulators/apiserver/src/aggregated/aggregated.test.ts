import assert from "node:assert/strict";
import { test } from "node:test";
import { failures, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import type { AggregatedResource, ResourceCall } from "../resources/aggregated-resource.ts";
import { TestKubelet } from "../testing/test-kubelet.ts";
import { framesOf, TestServer } from "../testing/test-server.ts";

const base = "/apis/weather.example.com/v1";
const subject = { group: "weather.example.com", resource: "forecasts" };

/** Server with two aggregated resources: forecasts are computed on demand, stations are stored. */
async function start(): Promise<TestServer> {
  const server = await TestServer.start();
  const towns = new Map([
    ["bonn", "sun"],
    ["köln", "rain"],
  ]);
  const forecast = (name: string, sky: string): KubeObject => ({
    apiVersion: "weather.example.com/v1",
    kind: "Forecast",
    metadata: { name, namespace: "default", labels: { sky } },
    sky,
  });
  const forecasts: AggregatedResource = {
    group: "weather.example.com",
    version: "v1",
    kind: "Forecast",
    plural: "forecasts",
    namespaced: true,
    columns: [{ name: "Sky", type: "string", jsonPath: ".sky", priority: 0 }],
    handlers: {
      get: async ({ name }) => {
        const sky = towns.get(name);
        if (!sky) throw failures.notFound(subject, name);
        return forecast(name, sky);
      },
      list: async () => ({
        items: [...towns].map(([name, sky]) => forecast(name, sky)),
        resourceVersion: "7",
      }),
      update: async ({ dryRun }, object) => {
        if (!dryRun) towns.set(object.metadata.name, scalarStringAt(object, "sky"));
        return object;
      },
      delete: async ({ name }) => {
        towns.delete(name);
        return undefined;
      },
      watch: async function* () {
        yield { type: "ADDED", object: forecast("bonn", "sun") };
        yield { type: "MODIFIED", object: forecast("bonn", "rain") };
      },
    },
    subresources: { radar: { kind: "Radar", get: async ({ name }) => ({ kind: "Radar", of: name }) } },
  };
  const stations: AggregatedResource = {
    group: "weather.example.com",
    version: "v1",
    kind: "Station",
    plural: "stations",
    namespaced: false,
    pathNames: true,
    standsForNamespace: true,
    specialGet: async ({ name, user }) =>
      name === "~"
        ? { apiVersion: "weather.example.com/v1", kind: "Station", metadata: { name: user.name } }
        : undefined,
  };
  server.cluster.declareResources([forecasts, stations]);
  return server;
}

const merge = (body: unknown) => ({ headers: { "content-type": "application/merge-patch+json" }, body });
const json = (body: unknown) => ({ headers: { "content-type": "application/json" }, body });

test("only verbs with a handler are available", async () => {
  await using server = await start();
  const path = `${base}/namespaces/default/forecasts`;
  assert.equal(scalarStringAt((await server.call("GET", `${path}/bonn`)).body, "sky"), "sun");
  assert.equal((await server.call("GET", `${path}/ulm`)).status, 404);
  const patched = await server.call("PATCH", `${path}/bonn`, merge({ sky: "fog" }));
  assert.equal(patched.status, 200, patched.text);
  assert.equal(scalarStringAt((await server.call("GET", `${path}/bonn`)).body, "sky"), "fog");
  await server.call("PATCH", `${path}/bonn?dryRun=All`, merge({ sky: "hail" }));
  assert.equal(scalarStringAt((await server.call("GET", `${path}/bonn`)).body, "sky"), "fog");
  assert.equal((await server.call("POST", path, json({ metadata: { name: "ulm" } }))).status, 405);
  assert.equal((await server.call("DELETE", path)).status, 405);
  const deleted = await server.call("DELETE", `${path}/bonn`);
  assert.deepEqual(valueAt(deleted.body, "details"), {
    name: "bonn",
    group: "weather.example.com",
    kind: "forecasts",
  });
  assert.equal(scalarStringAt((await server.call("GET", `${path}/bonn/radar`)).body, "of"), "bonn");
});

test("lists and watches support selectors and tables", async () => {
  await using server = await start();
  const path = `${base}/namespaces/default/forecasts`;
  const rainy = await server.call("GET", `${path}?labelSelector=sky%3Drain`);
  assert.deepEqual(
    listAt(rainy.body, "items").map((each) => scalarStringAt(each, "metadata", "name")),
    ["köln"],
  );
  assert.equal(scalarStringAt(rainy.body, "metadata", "resourceVersion"), "7");
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const table = await server.call("GET", path, { headers: { accept } });
  assert.deepEqual(listAt(listAt(table.body, "rows")[0], "cells").slice(0, 2), ["bonn", "sun"]);
  const seen: string[] = [];
  for await (const frame of framesOf(
    await server.open("GET", `${path}?watch=true&labelSelector=sky%3Dsun`),
  )) {
    seen.push(`${scalarStringAt(frame, "type")} ${scalarStringAt(frame, "object", "sky")}`);
  }
  assert.deepEqual(seen, ["ADDED sun"]);
});

test("a long list is encoded in several turns, without the objects that a selector excludes", async () => {
  await using server = await TestServer.start();
  let turn = 0;
  const turns = new Set<number>();
  const report = (name: string, sky: string): KubeObject => ({
    apiVersion: "weather.example.com/v1",
    kind: "Report",
    metadata: { name, labels: { sky } },
    get text() {
      assert.equal(sky, "sun", "only selected objects are encoded");
      turns.add(turn);
      return "x".repeat(1_000);
    },
  });
  const items = Array.from({ length: 2_000 }, (_, at) => report(`r${at}`, at % 2 === 0 ? "sun" : "rain"));
  server.cluster.declareResources([
    {
      group: "weather.example.com",
      version: "v1",
      kind: "Report",
      plural: "reports",
      namespaced: false,
      handlers: { list: async () => ({ items, resourceVersion: "7" }) },
    },
  ]);
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  count();
  try {
    const { body } = await server.call("GET", `${base}/reports?labelSelector=sky%3Dsun`);
    assert.equal(listAt(body, "items").length, 1_000);
  } finally {
    isDone = true;
  }
  assert.ok(turns.size > 3, String(turns.size));
});

test("discovery, OpenAPI and roles include declared resources", async () => {
  await using server = await start();
  const { body } = await server.call("GET", base);
  const verbs = Object.fromEntries(
    listAt(body, "resources").map((each) => [scalarStringAt(each, "name"), stringsAt(each, "verbs").join()]),
  );
  assert.equal(verbs.forecasts, "delete,get,list,patch,update,watch");
  assert.equal(verbs["forecasts/radar"], "get");
  assert.match((await server.call("GET", "/openapi/v3/apis/weather.example.com/v1")).text, /Forecast/);
  const user = await server.user({ commonName: "alice" });
  assert.equal((await server.call("GET", `${base}/namespaces/default/forecasts`, { user })).status, 403);
});

test("stored resources support path names, virtual objects, and permissions of the represented namespace", async () => {
  await using server = await start();
  const station = {
    apiVersion: "weather.example.com/v1",
    kind: "Station",
    metadata: { name: "kube:North~1" },
  };
  assert.equal((await server.call("POST", `${base}/stations`, json(station))).status, 201);
  assert.equal((await server.call("GET", `${base}/stations/kube:North~1`)).status, 200);
  assert.equal(
    scalarStringAt((await server.call("GET", `${base}/stations/~`)).body, "metadata", "name"),
    "system:admin",
  );
  await server.call("POST", `${base}/stations`, json({ ...station, metadata: { name: "default" } }));
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  const rules = [{ apiGroups: ["weather.example.com"], resources: ["stations"], verbs: ["get"] }];
  const apiVersion = "rbac.authorization.k8s.io/v1";
  await server.call(
    "POST",
    `${rbac}/roles`,
    json({ apiVersion, kind: "Role", metadata: { name: "r" }, rules }),
  );
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }];
  const binding = { apiVersion, kind: "RoleBinding", metadata: { name: "r" }, roleRef, subjects };
  await server.call("POST", `${rbac}/rolebindings`, json(binding));
  const user = await server.user({ commonName: "alice" });
  assert.equal((await server.call("GET", `${base}/stations/default`, { user })).status, 200);
  assert.equal((await server.call("GET", `${base}/stations/kube:North~1`, { user })).status, 403);
});

test("declared paths outside the API need no authentication, and other paths do not exist", async () => {
  await using server = await start();
  server.cluster.declarePaths({
    "/hello": async ({ method, query, body }) => ({
      status: 202,
      body: { method, who: query.get("who"), body },
    }),
  });
  const response = await server.call("POST", "/hello?who=you", { user: undefined, body: "text" });
  assert.equal(response.status, 202);
  assert.deepEqual(response.body, { method: "POST", who: "you", body: "text" });
  assert.equal((await server.call("GET", "/hello/there", { user: undefined })).status, 403);
});

/** Server with the aggregated resource `notes`. Its handlers record each write and store the note as a ConfigMap. */
async function startNotes() {
  const server = await TestServer.start();
  const written: string[] = [];
  const note = (name: string, namespace = "default"): KubeObject => ({
    apiVersion: "notes.example.com/v1",
    kind: "Note",
    metadata: { name, namespace },
  });
  const keep = async (verb: string, { client, namespace = "" }: ResourceCall, object: KubeObject) => {
    written.push(`${verb} ${object.metadata.namespace}/${object.metadata.name} in ${namespace}`);
    await client.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `${verb}-${object.metadata.name}`, namespace },
    });
    return object;
  };
  const notes: AggregatedResource = {
    group: "notes.example.com",
    version: "v1",
    kind: "Note",
    plural: "notes",
    namespaced: true,
    handlers: {
      get: async ({ name, namespace }) => note(name, namespace),
      create: (call, object) => keep("create", call, object),
      update: (call, object) => keep("update", call, object),
      delete: (call) => keep("delete", call, note(call.name, call.namespace)),
    },
    subresources: {
      part: {
        kind: "Part",
        get: async () => ({}),
        create: async () => ({}),
        update: async (call, body) => keep("part", call, { ...note(call.name), body }),
      },
    },
  };
  server.cluster.declareResources([notes]);
  return { server, written };
}

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const notesPath = "/apis/notes.example.com/v1/namespaces/default/notes";

test("handlers receive the path's name, and bodies with a different name are rejected", async () => {
  const { server, written } = await startNotes();
  await using _ = server;
  for (const [method, path, metadata] of [
    ["PUT", "/mine", { name: "yours" }],
    ["PATCH", "/mine", { name: "yours" }],
    ["PUT", "/mine", { name: "mine", namespace: "kube-system" }],
    ["PATCH", "/mine", { namespace: "kube-system" }],
    ["POST", "", { name: "new", namespace: "kube-system" }],
    ["PUT", "/mine/part", { name: "yours" }],
    ["POST", "/mine/part", { namespace: "kube-system" }],
  ] as const) {
    const call = method === "PATCH" ? merge({ metadata }) : json({ metadata });
    const response = await server.call(method, `${notesPath}${path}`, call);
    assert.equal(response.status, 400, `${method} ${path}: ${response.text}`);
    assert.match(scalarStringAt(response.body, "message"), /does not match the name/);
  }
  assert.deepEqual(written, []);
  for (const [method, path, body] of [
    ["PUT", "/a", {}],
    ["PUT", "/b", { metadata: { name: "b", namespace: "default" } }],
    ["POST", "", { metadata: { name: "c" } }],
  ] as const) {
    assert.ok((await server.call(method, `${notesPath}${path}`, json(body))).status < 300);
  }
  assert.deepEqual(written, [
    "update default/a in default",
    "update default/b in default",
    "create default/c in default",
  ]);
});

test("subresources can read the log of a pod and accept bodies of any type and size", async () => {
  const { server } = await startNotes();
  await using _ = server;
  server.cluster.setKubelet(new TestKubelet());
  const pods = { group: "", version: "v1", resource: "pods" };
  const pod = await server.cluster.client.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default" },
    spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
  });
  const running = {
    name: "c",
    state: { running: {} },
    image: "i",
    imageID: "i",
    ready: true,
    restartCount: 0,
  };
  await server.cluster.client.updateStatus(pods, { ...pod, status: { containerStatuses: [running] } });
  const films: AggregatedResource = {
    group: "films.example.com",
    version: "v1",
    kind: "Film",
    plural: "films",
    namespaced: true,
    subresources: {
      log: {
        kind: "FilmLog",
        podLog: async ({ name, namespace, query }) =>
          query.has("empty") ? undefined : server.cluster.client.get(pods, { namespace, name }),
      },
      rating: { kind: "FilmRating", create: async (_call, body) => ({ rated: body }) },
      upload: {
        kind: "FilmUpload",
        upload: async ({ name, query, dryRun }) => ({ name, file: query.get("file"), dryRun }),
      },
    },
  };
  server.cluster.declareResources([films]);
  const path = "/apis/films.example.com/v1/namespaces/default/films";
  const log = await server.call("GET", `${path}/p/log?tailLines=2`);
  assert.deepEqual([log.status, log.text], [200, "two\nthree\n"]);
  assert.equal((await server.call("GET", `${path}/none/log`)).status, 404);
  assert.equal((await server.call("GET", `${path}/none/log?tailLines=x`)).status, 400);
  for (const [sent, status] of [
    [[], 400],
    ["text", 400],
    [{ stars: 5 }, 201],
  ] as const)
    assert.equal((await server.call("POST", `${path}/p/rating`, { body: sent })).status, status);
  const previous = await server.call("GET", `${path}/p/log?tailLines=1&previous=true`);
  assert.deepEqual([previous.status, previous.text], [200, "three\n"]);
  const empty = await server.call("GET", `${path}/p/log?empty`);
  assert.deepEqual([empty.status, empty.text], [204, ""]);
  const body = "x".repeat(4 * 1_024 * 1_024);
  const sent = await server.call("POST", `${path}/p/upload?file=a.jar&dryRun=All`, {
    body,
    headers: { "content-type": "application/octet-stream" },
  });
  assert.equal(sent.status, 201, sent.text);
  assert.deepEqual(sent.body, { name: "p", file: "a.jar", dryRun: true });
  const { body: discovery } = await server.call("GET", "/apis/films.example.com/v1");
  const verbs = listAt(discovery, "resources").map((each) => [valueAt(each, "name"), valueAt(each, "verbs")]);
  assert.deepEqual(Object.fromEntries(verbs)["films/log"], ["get"]);
  assert.deepEqual(Object.fromEntries(verbs)["films/upload"], ["create"]);
});

test("admission validates and mutates handler writes as the requesting user", async () => {
  const { server, written } = await startNotes();
  await using _ = server;
  const seen: string[] = [];
  server.cluster.addAdmission({
    handles: ({ resource }) => ["notes", "configmaps"].includes(resource.type.plural),
    mutate: async ({ object, oldObject, resource }) => {
      if (!object) return oldObject ?? assert.fail("the deletion has neither object nor oldObject");
      if (resource.type.plural === "configmaps") return object;
      return {
        ...object,
        metadata: { ...object.metadata, name: object.metadata.name.replace("old", "new") },
      };
    },
    validate: async ({ operation, resource, object, oldObject, user, name }) => {
      seen.push(`${user.name} ${operation} ${resource.type.plural} ${(object ?? oldObject)?.metadata.name}`);
      if (name === "refused") throw failures.forbidden(subject, name, "because");
    },
  });
  assert.equal((await server.call("POST", notesPath, json({ metadata: { name: "old" } }))).status, 201);
  assert.equal((await server.call("PUT", `${notesPath}/mine`, json({}))).status, 200);
  assert.equal((await server.call("DELETE", `${notesPath}/mine`)).status, 200);
  for (const method of ["PUT", "DELETE"]) {
    assert.equal((await server.call(method, `${notesPath}/refused`, json({}))).status, 403);
  }
  assert.deepEqual(written, [
    "create default/new in default",
    "update default/mine in default",
    "delete default/mine in default",
  ]);
  assert.deepEqual(seen, [
    "system:admin CREATE notes new",
    "system:admin CREATE configmaps create-new",
    "system:admin UPDATE notes mine",
    "system:admin CREATE configmaps update-mine",
    "system:admin DELETE notes mine",
    "system:admin CREATE configmaps delete-mine",
    "system:admin UPDATE notes refused",
    "system:admin DELETE notes refused",
  ]);
});

test("admission validates and mutates subresource writes as the subresource's kind", async () => {
  const { server, written } = await startNotes();
  await using _ = server;
  const seen: unknown[] = [];
  server.cluster.addAdmission({
    handles: ({ resource }) => resource.type.plural === "notes",
    mutate: async ({ object }) => ({
      ...(object ?? assert.fail("the request has no object")),
      stamped: true,
    }),
    validate: async ({ operation, subresource, object, oldObject, name, dryRun }) => {
      seen.push([operation, subresource, object, oldObject, dryRun]);
      if (name === "refused") throw failures.forbidden(subject, name, "because");
    },
  });
  const put = await server.call("PUT", `${notesPath}/mine/part?dryRun=All`, json({ size: 1 }));
  assert.equal(put.status, 200);
  const part = (name: string) => ({
    apiVersion: "notes.example.com/v1",
    kind: "Part",
    metadata: { name, namespace: "default" },
  });
  assert.deepEqual(objectAt(put.body, "body"), { ...part("mine"), size: 1, stamped: true });
  assert.equal((await server.call("POST", `${notesPath}/mine/part`, json({ size: 2 }))).status, 201);
  assert.equal((await server.call("PUT", `${notesPath}/refused/part`, json({}))).status, 403);
  assert.deepEqual(seen, [
    ["UPDATE", "part", { ...part("mine"), size: 1, stamped: true }, part("mine"), true],
    ["CREATE", "part", { ...part("mine"), size: 2, stamped: true }, undefined, false],
    ["UPDATE", "part", { ...part("refused"), stamped: true }, part("refused"), false],
  ]);
  assert.ok(written.every((each) => !each.includes("refused")));
});

test("handler writes of a dry run are not stored", async () => {
  const { server } = await startNotes();
  await using _ = server;
  const kept = async () =>
    (await server.cluster.client.list(configMaps, { namespace: "default" })).items.length;
  const before = await kept();
  await server.call("POST", `${notesPath}?dryRun=All`, json({ metadata: { name: "a" } }));
  await server.call("PUT", `${notesPath}/a?dryRun=All`, json({}));
  await server.call("DELETE", `${notesPath}/a`, json({ kind: "DeleteOptions", dryRun: ["All"] }));
  assert.equal(await kept(), before);
  await server.call("DELETE", `${notesPath}/a`);
  assert.equal(await kept(), before + 1);
});

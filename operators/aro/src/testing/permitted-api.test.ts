import assert from "node:assert/strict";
import { test } from "node:test";
import { type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { permittedApi } from "./permitted-api.ts";

const { signal } = new AbortController();
const { configMaps, nodes } = resources;
const there = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "a", name: "there" } };
const api = {
  get: async () => there,
  find: async (_: unknown, { name }: { name: string }) => (name === "there" ? there : undefined),
  list: async () => ({ items: [], resourceVersion: "1" }),
  create: async () => there,
  apply: async () => there,
  mergePatch: async () => there,
} as unknown as KubeApi;

const named = (name: string): KubeObject => ({ ...there, metadata: { namespace: "a", name } });
const patching = { apiGroups: [""], resources: ["configmaps"], resourceNames: ["there"], verbs: ["patch"] };
const reading = { namespace: "a", apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] };
const selection = { fieldSelector: "metadata.name=there" };

const cases: readonly (readonly [
  name: string,
  allowed: boolean,
  call: (api: KubeApi) => Promise<unknown>,
])[] = [
  ["reading in its namespace", true, (own) => own.get(configMaps, there.metadata, signal)],
  ["reading elsewhere", false, (own) => own.get(configMaps, { namespace: "b", name: "x" }, signal)],
  ["listing its namespace", true, (own) => own.list(configMaps, { namespace: "a" }, signal)],
  ["listing all namespaces", false, (own) => own.list(configMaps, selection, signal)],
  ["another kind", false, (own) => own.list(nodes, {}, signal)],
  ["another verb", false, (own) => own.create(configMaps, there, signal)],
  ["patching the named one", true, (own) => own.mergePatch(configMaps, there.metadata, {}, signal)],
  ["patching another", false, (own) => own.mergePatch(configMaps, { namespace: "a", name: "x" }, {}, signal)],
  ["patching its status", false, (own) => own.mergePatch(configMaps, there.metadata, {}, signal, "status")],
  ["applying to one that exists", true, (own) => own.apply(configMaps, named("there"), signal)],
  ["applying another", false, (own) => own.apply(configMaps, named("x"), signal)],
];
for (const [name, allowed, call] of cases) {
  test(`${name} is ${allowed ? "allowed" : "forbidden"}`, async () => {
    const attempt = call(permittedApi(api, [patching, reading]));
    if (allowed) await attempt;
    else await assert.rejects(attempt, { code: 403, reason: "Forbidden" });
  });
}

test("without the right to create, nothing is created by applying", async () => {
  const patchingAll = { apiGroups: [""], resources: ["configmaps"], verbs: ["patch"] };
  const own = permittedApi(api, [patchingAll]);
  await own.apply(configMaps, named("there"), signal);
  await assert.rejects(own.apply(configMaps, named("x"), signal), { code: 403 });
  const creating = permittedApi(api, [patchingAll, { ...patchingAll, verbs: ["create"] }]);
  await creating.apply(configMaps, named("x"), signal);
});

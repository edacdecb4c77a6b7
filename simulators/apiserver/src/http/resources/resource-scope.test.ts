import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type KubeObject, type ResourceType, StatusError, scalarStringAt } from "@keelson/apimachinery";
import type { KeyPair } from "@keelson/base";
import { builtinTypes } from "@keelson/kinds";
import type { AggregatedResource } from "../../resources/aggregated-resource.ts";
import { TestServer, widgets } from "../../testing/test-server.ts";
import { parseRequestInfo } from "../messages/request-info.ts";
import { requireServedPath } from "./resource-scope.ts";

const rbac = "rbac.authorization.k8s.io";

/** Test resources besides the built-in ones: custom resources, and aggregated resources with and without handlers. */
const gadgets = {
  ...widgets,
  metadata: { name: "gadgets.example.com" },
  spec: { ...widgets.spec, scope: "Cluster", names: { plural: "gadgets", kind: "Gadget" } },
};
const answered = (plural: string, namespaced: boolean): AggregatedResource => ({
  group: "declared.example.com",
  version: "v1",
  kind: plural,
  plural,
  namespaced,
  handlers: {
    get: ({ name }) => reached(plural, name),
    list: async () => ({ items: [await reached(plural, "x")], resourceVersion: "1" }),
    create: (_call, object) => reached(plural, object.metadata.name),
    update: ({ name }) => reached(plural, name),
    delete: ({ name }) => reached(plural, name),
  },
  subresources: { part: { kind: "Part", get: ({ name }) => reached(plural, name) } },
});
const stored = (plural: string, namespaced: boolean): AggregatedResource => ({
  group: "declared.example.com",
  version: "v1",
  kind: plural,
  plural,
  namespaced,
  status: true,
});

interface Kind {
  readonly base: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
  readonly builtin: boolean;
}

const custom = (base: string, plural: string, namespaced: boolean, subresource: string): Kind => ({
  base: `/apis/${base}/v1`,
  plural,
  namespaced,
  subresources: [subresource],
  builtin: false,
});
const kinds: readonly Kind[] = [
  ...builtinTypes.map(
    ({ group, version, plural, namespaced, subresources }): Kind => ({
      base: group ? `/apis/${group}/${version}` : `/api/${version}`,
      plural,
      namespaced,
      subresources,
      builtin: true,
    }),
  ),
  custom("example.com", "widgets", true, "status"),
  custom("example.com", "gadgets", false, "status"),
  custom("declared.example.com", "answers", true, "part"),
  custom("declared.example.com", "clusteranswers", false, "part"),
  custom("declared.example.com", "records", true, "status"),
  custom("declared.example.com", "clusterrecords", false, "status"),
];

const calls: string[] = [];
let server: TestServer;
/** User with all permissions in the namespace `mine` and no permissions in other namespaces. */
let owner: KeyPair;

async function reached(plural: string, name: string): Promise<KubeObject> {
  calls.push(`${plural} ${name}`);
  return { apiVersion: "declared.example.com/v1", kind: plural, metadata: { name } };
}

before(async () => {
  server = await TestServer.start();
  for (const body of [widgets, gadgets]) {
    await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body });
  }
  server.cluster.declareResources([
    answered("answers", true),
    answered("clusteranswers", false),
    stored("records", true),
    stored("clusterrecords", false),
  ]);
  owner = await server.user({ commonName: "owner" });
  await server.call("POST", "/api/v1/namespaces", { body: { metadata: { name: "mine" } } });
  await server.call("POST", `/apis/${rbac}/v1/namespaces/mine/rolebindings`, {
    body: {
      metadata: { name: "owner" },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: rbac, kind: "User", name: "owner" }],
    },
  });
});
after(() => server[Symbol.asyncDispose]());

const requests = [
  ["GET", ""],
  ["GET", "?watch=true&timeoutSeconds=1"],
  ["POST", ""],
  ["PUT", ""],
  ["DELETE", ""],
  ["GET", "/kube-system"],
  ["PUT", "/kube-system"],
  ["PATCH", "/kube-system"],
  ["DELETE", "/kube-system"],
  ["POST", "/kube-system"],
] as const;

/**
 * Returns all methods and paths of a resource and its subresources. The paths contain the namespace, unless `namespace` is empty.
 */
function pathsOf({ base, plural, subresources }: Kind, namespace: string) {
  const where = `${base}${namespace ? `/namespaces/${namespace}` : ""}/${plural}`;
  const below = subresources.flatMap((each) =>
    ["GET", "PUT", "PATCH", "POST", "DELETE"].map((method) => [method, `/kube-system/${each}`] as const),
  );
  return [...requests, ...below].map(([method, rest]) => ({ method, rest, path: where + rest }));
}

function codeOf(kind: Kind, method: string, path: string): number {
  const [pathname = "", search = ""] = path.split("?");
  const info = parseRequestInfo(method, pathname, new URLSearchParams(search));
  assert.ok(info.kind === "resource");
  try {
    requireServedPath(info, typeOf(kind), method);
    return 200;
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
}

function typeOf({ plural, namespaced, subresources, builtin }: Kind): ResourceType {
  const known = builtinTypes.find((each) => builtin && each.plural === plural);
  const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
  return {
    ...(known ?? { group: "x", version: "v1", kind: "X", singular: "x", shortNames: [], categories: [] }),
    plural,
    namespaced,
    verbs,
    subresources,
    columns: [],
    origin: builtin ? "builtin" : "custom",
  };
}

for (const kind of kinds.filter(({ namespaced }) => !namespaced)) {
  test(`${kind.base}/${kind.plural} is not found in a namespace for all requests`, () => {
    const { base, plural } = kind;
    for (const { method, path } of pathsOf(kind, "mine")) {
      assert.equal(codeOf(kind, method, path), 404, `${method} ${path}`);
    }
    assert.equal(codeOf(kind, "GET", `${base}/watch/namespaces/mine/${plural}`), 404);
    assert.equal(codeOf(kind, "GET", `${base}/${plural}/kube-system`), 200);
  });
}

for (const kind of kinds.filter(({ namespaced }) => namespaced)) {
  test(`without a namespace, ${kind.base}/${kind.plural} is only found in lists and watches`, () => {
    for (const { method, path, rest } of pathsOf(kind, "")) {
      const named = rest.startsWith("/");
      const expected = !named && method === "GET" ? 200 : kind.builtin && !named ? 405 : 404;
      assert.equal(codeOf(kind, method, path), expected, `${method} ${path}`);
    }
    assert.equal(codeOf(kind, "GET", `${kind.base}/namespaces/mine/${kind.plural}/kube-system`), 200);
  });
}

const sample = ["namespaces", "nodes", "validatingwebhookconfigurations", "gadgets", "clusteranswers"];

for (const kind of kinds.filter(({ plural }) => [...sample, "clusterrecords"].includes(plural))) {
  test(`the owner of a namespace cannot access ${kind.plural} through it`, async () => {
    calls.length = 0;
    for (const { method, path } of pathsOf(kind, "mine")) {
      const response = await server.call(method, path, {
        user: owner,
        body: method === "GET" ? undefined : { metadata: { name: "kube-system", labels: { by: "owner" } } },
        headers: method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {},
      });
      assert.equal(response.status, 404, `${method} ${path}: ${response.text.slice(0, 200)}`);
      assert.equal(
        scalarStringAt(response.body, "message"),
        "the server could not find the requested resource",
      );
    }
    assert.deepEqual(calls, []);
    const namespaces = { group: "", version: "v1", resource: "namespaces" };
    const { metadata } = await server.cluster.client.get(namespaces, { name: "kube-system" });
    assert.deepEqual([metadata.deletionTimestamp, metadata.labels?.by], [undefined, undefined]);
  });
}

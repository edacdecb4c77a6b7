import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { KeyPair } from "@keelson/base";
import { builtinTypes } from "../catalogue/index.ts";
import { textAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { TestServer, widgets } from "../test-server.ts";
import type { DeclaredResource } from "../virtual/declared-resource.ts";

const rbac = "rbac.authorization.k8s.io";

/** One resource of each way of being served that is not built in, in and outside of namespaces. */
const gadgets = {
  ...widgets,
  metadata: { name: "gadgets.example.com" },
  spec: { ...widgets.spec, scope: "Cluster", names: { plural: "gadgets", kind: "Gadget" } },
};
const answered = (plural: string, namespaced: boolean): DeclaredResource => ({
  group: "declared.example.com",
  version: "v1",
  kind: plural,
  plural,
  namespaced,
  code: {
    get: ({ name }) => reached(plural, name),
    list: async () => ({ items: [await reached(plural, "x")], resourceVersion: "1" }),
    create: (_call, object) => reached(plural, object.metadata.name),
    update: ({ name }) => reached(plural, name),
    delete: ({ name }) => reached(plural, name),
  },
  parts: { part: { kind: "Part", get: ({ name }) => reached(plural, name) } },
});
const stored = (plural: string, namespaced: boolean): DeclaredResource => ({
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
/** May do everything with everything in the namespace `mine`, and nothing elsewhere. */
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

const merge = { "content-type": "application/merge-patch+json" };
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

for (const { base, plural, namespaced, subresources, builtin } of kinds) {
  const body = { metadata: { name: "kube-system", labels: { by: "owner" } } };
  const send = (method: string, path: string, user = server.admin) =>
    server.call(method, path, {
      user,
      ...(method === "GET" ? {} : { body }),
      headers: method === "PATCH" ? merge : {},
    });
  const subpaths = subresources.map((each) => ["GET", `/kube-system/${each}`] as const);
  const written = subresources.flatMap((each) =>
    (["PUT", "PATCH", "POST", "DELETE"] as const).map((method) => [method, `/kube-system/${each}`] as const),
  );

  if (!namespaced) {
    test(`${base}/${plural} is not found below a namespace, whatever is asked of it`, async () => {
      calls.length = 0;
      for (const [method, rest] of [...requests, ...subpaths, ...written]) {
        const answer = await send(method, `${base}/namespaces/mine/${plural}${rest}`, owner);
        assert.equal(answer.status, 404, `${method} ${rest}: ${answer.text.slice(0, 200)}`);
        assert.equal(textAt(answer.body, "message"), "the server could not find the requested resource");
      }
      const watch = await send("GET", `${base}/watch/namespaces/mine/${plural}?timeoutSeconds=1`, owner);
      assert.equal(watch.status, 404);
      assert.deepEqual(calls, []);
      const { metadata } = await server.cluster.client.get(
        { group: "", version: "v1", resource: "namespaces" },
        { name: "kube-system" },
      );
      assert.deepEqual([metadata.deletionTimestamp, metadata.labels?.by], [undefined, undefined]);
    });
  } else {
    test(`${base}/${plural} is not found without a namespace but in lists and watches`, async () => {
      calls.length = 0;
      for (const [method, rest] of [...requests, ...subpaths, ...written]) {
        if (method === "GET" && !rest.startsWith("/")) continue;
        const answer = await send(method, `${base}/${plural}${rest}`);
        const expected = builtin && rest === "" ? 405 : 404;
        assert.equal(answer.status, expected, `${method} ${rest}: ${answer.text.slice(0, 200)}`);
      }
      assert.deepEqual(calls, []);
    });
  }
}

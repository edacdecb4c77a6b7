import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { all, type ConformanceCase, exchange, matches } from "../case.ts";
import { configMap, configMaps, get, post, put, remove } from "../requests.ts";

const rbac = "rbac.authorization.k8s.io";
const watched = "/api/v1/watch/namespaces/{ns}/configmaps";
const apply = { "content-type": "application/apply-patch+yaml" };

/** Returns a Role in the case's namespace and its binding to the user of the same name. */
function granted(name: string, rule: object) {
  const base = `/apis/${rbac}/v1/namespaces/{ns}`;
  return [
    post(`${base}/roles`, { metadata: { name }, rules: [rule] }),
    post(`${base}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: "Role", name },
      subjects: [{ apiGroup: rbac, kind: "User", name }],
    }),
  ];
}

/** Conformance cases for the parsing of paths and selectors, and for its effect on authorization. */
export const pathCases: readonly ConformanceCase[] = [
  ...(
    [
      ["GET", "/api/v1/namespaces/{ns}/nodes", 404],
      ["GET", "/api/v1/namespaces/{ns}/nodes?watch=true", 404],
      ["GET", "/api/v1/watch/namespaces/{ns}/nodes", 404],
      ["GET", "/api/v1/namespaces/{ns}/namespaces/default", 404],
      ["DELETE", "/api/v1/namespaces/{ns}/namespaces/none", 404],
      ["DELETE", "/api/v1/namespaces/{ns}/nodes", 404],
      ["GET", "/api/v1/configmaps/a", 404],
      ["DELETE", "/api/v1/configmaps/a", 404],
      ["DELETE", "/api/v1/configmaps", 405],
      ["GET", "/api/v1/namespaces//configmaps", 200],
      ["GET", "/api/v1//configmaps", 404],
      ["GET", "/api//v1/configmaps", 404],
      ["GET", "//api/v1/configmaps", 404],
      ["GET", `${configMaps}/`, 200],
      ["GET", "/api/v1/namespaces/{ns}%2fconfigmaps", 200],
      ["GET", "/api/v1/namespaces/{ns}/ConfigMaps", 404],
      ["GET", `${configMaps}/%2e%2e`, 400],
      ["GET", `${configMaps}/a%25b`, 400],
      ["GET", `${configMaps}/a/status/more`, 404],
      ["GET", "/api/v1/namespaces/{ns}/pods//log", 400],
      ["GET", "/api/v1/proxy/namespaces/{ns}/pods/p", 404],
      ["HEAD", configMaps, 405],
      ["HEAD", "/api/v1", 405],
      ["HEAD", "/version", 405],
      ["HEAD", "/healthz", 200],
      ["OPTIONS", configMaps, 405],
      ["POST", watched, 405],
      ["DELETE", `${watched}/a`, 405],
      ["GET", `${watched}/a/status`, 404],
      ["GET", "/apis/authorization.k8s.io/v1/watch/subjectaccessreviews", 404],
    ] as const
  ).map(([method, path, status]) =>
    exchange({ name: `${method} ${path} is ${status}`, when: { method, path }, status }),
  ),
  {
    name: "legacy watch paths work for a collection and one object",
    async run(api) {
      await all(api, [post(configMaps, configMap("a")), post(configMaps, configMap("b"))]);
      for (const path of [`${watched}/b`, `${watched}?fieldSelector=metadata.name%3Db`]) {
        matches(await api.watch(path, 1), [{ type: "ADDED", object: { metadata: { name: "b" } } }]);
      }
      const other = await api.call(get(`${watched}/b?fieldSelector=metadata.name%3Da`));
      assert.equal(other.status, 400);
      assert.equal(
        scalarStringAt(other.body, "message"),
        "fieldSelector metadata.name doesn't match requested name",
      );
    },
  },
  exchange({
    name: "a get of one object ignores the watch parameter",
    given: [post(configMaps, configMap("a"))],
    when: get(`${configMaps}/a?watch=true`),
    status: 200,
    body: { kind: "ConfigMap", metadata: { name: "a" } },
  }),
  {
    name: "a permission for a name includes lists and watches that select it, and nothing else",
    async run(api) {
      const rule = { apiGroups: [""], resources: ["configmaps"], resourceNames: ["ok"], verbs: ["*"] };
      await all(api, [
        ...granted("by-name", rule),
        post(configMaps, configMap("ok")),
        post(configMaps, configMap("other")),
      ]);
      const status = async (method: "GET" | "DELETE", path: string) =>
        (await api.callAs({ name: "by-name" }, { method, path })).status;
      const select = (selector: string) => `${configMaps}?fieldSelector=${encodeURIComponent(selector)}`;
      await settled(() => status("GET", `${configMaps}/ok`), 200);
      for (const selector of [
        "metadata.name=ok",
        "metadata.name==ok",
        "metadata.name=ok,metadata.namespace=x",
      ]) {
        assert.equal(await status("GET", select(selector)), 200, selector);
      }
      for (const selector of [
        "metadata.name!=ok",
        "metadata.name!=x\\,metadata.name=ok",
        "metadata.namespace!=x\\,metadata.name=ok",
        "metadata.name=ok,unreadable",
        "metadata.name = ok",
        "metadata.name=",
        "",
      ]) {
        assert.equal(await status("GET", select(selector)), 403, selector);
      }
      assert.equal(await status("GET", `${select("metadata.name=ok")}&limit=x`), 403);
      assert.equal(await status("GET", `${watched}?fieldSelector=metadata.name%3Dok`), 403);
      assert.equal(await status("DELETE", select("metadata.name=ok")), 403);
      assert.equal((await api.call(get(`${configMaps}/other`))).status, 200);
    },
  },
  {
    name: "an update or apply that creates needs the create permission",
    async run(api) {
      const groups = ["", "coordination.k8s.io"];
      const resources = ["configmaps", "leases"];
      await all(api, granted("editor", { apiGroups: groups, resources, verbs: ["update", "patch", "get"] }));
      const editor = { name: "editor" };
      const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
      await settled(async () => (await api.callAs(editor, get(`${leases}/none`))).status, 404);
      const lease = await api.callAs(editor, put(`${leases}/new`, { metadata: { name: "new" } }));
      assert.equal(lease.status, 403);
      assert.match(scalarStringAt(lease.body, "message"), /User "editor" cannot create resource "leases"/);
      const applied = await api.callAs(editor, {
        method: "PATCH",
        path: `${configMaps}/new?fieldManager=e`,
        headers: apply,
        body: configMap("new"),
      });
      assert.equal(applied.status, 403);
      matches(valueAt(applied.body, "details"), { name: "new", kind: "configmaps" });
    },
  },
  exchange({
    name: "a selector with an unescaped special character is 400",
    when: get(`${configMaps}?fieldSelector=metadata.name%3Da%3D`),
    status: 400,
    body: { message: "invalid field selector: unescaped character in value: 61" },
  }),
  exchange({
    name: "a selector with an invalid escape sequence is 400",
    when: get(`${configMaps}?fieldSelector=metadata.name%3Da%5Cx`),
    status: 400,
    body: { message: "invalid field selector: invalid escape sequence: \\x" },
  }),
  exchange({
    name: "an unsupported field of configmaps in a selector is 400",
    when: get(`${configMaps}?fieldSelector=data.k%3Dv`),
    status: 400,
    body: { message: '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"' },
  }),
  exchange({
    name: "a deletion in a different scope deletes nothing",
    given: [post(configMaps, configMap("a"))],
    when: remove("/api/v1/configmaps/a"),
    status: 404,
  }),
];

/** Waits until authorization uses new roles. */
async function settled(ask: () => Promise<number>, wanted: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await ask()) === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`the roles have no effect: ${await ask()}`);
}

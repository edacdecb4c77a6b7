import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import type { KeyPair } from "@keelson/base";
import { TestServer, widgets } from "../testing/test-server.ts";

const rbac = "rbac.authorization.k8s.io";
const apply = { "content-type": "application/apply-patch+yaml" };

let server: TestServer;
/**
 * User with permission to update and patch all objects in the namespace `default`. The user may create only objects named `new`.
 */
let editor: KeyPair;

before(async () => {
  server = await TestServer.start();
  await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: widgets });
  editor = await server.user({ commonName: "editor" });
  const everything = { apiGroups: ["*"], resources: ["*"] };
  await server.call("POST", `/apis/${rbac}/v1/namespaces/default/roles`, {
    body: {
      metadata: { name: "editor" },
      rules: [
        { ...everything, verbs: ["get", "update", "patch"] },
        { ...everything, resourceNames: ["new"], verbs: ["create"] },
      ],
    },
  });
  await server.call("POST", `/apis/${rbac}/v1/namespaces/default/rolebindings`, {
    body: {
      metadata: { name: "editor" },
      roleRef: { apiGroup: rbac, kind: "Role", name: "editor" },
      subjects: [{ apiGroup: rbac, kind: "User", name: "editor" }],
    },
  });
});
after(() => server[Symbol.asyncDispose]());

for (const [method, apiVersion, kind, plural, more] of [
  ["PUT", "coordination.k8s.io/v1", "Lease", "leases", {}],
  ["PUT", "v1", "LimitRange", "limitranges", { spec: { limits: [] } }],
  ["PATCH", "coordination.k8s.io/v1", "Lease", "leases", {}],
  ["PATCH", "v1", "ConfigMap", "configmaps", {}],
  ["PATCH", "example.com/v1", "Widget", "widgets", { spec: { size: 1 } }],
] as const) {
  test(`a user who may ${method === "PUT" ? "update" : "apply"} ${plural} cannot create them without the create permission`, async () => {
    const base = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const send = (name: string, parameters: string) =>
      server.call(method, `${base}/namespaces/default/${plural}/${name}?fieldManager=e${parameters}`, {
        user: editor,
        headers: method === "PATCH" ? apply : {},
        body: { apiVersion, kind, metadata: { name }, ...more },
      });
    const group = apiVersion === "v1" ? "" : apiVersion.split("/")[0];
    for (const parameters of ["", "&dryRun=All"]) {
      const refused = await send("other", parameters);
      assert.equal(refused.status, 403, refused.text);
      assert.equal(
        scalarStringAt(refused.body, "message"),
        `${plural}${group ? `.${group}` : ""} "other" is forbidden: User "editor" cannot create resource ` +
          `"${plural}" in API group "${group}" in the namespace "default"`,
      );
    }
    assert.equal((await server.call("GET", `${base}/namespaces/default/${plural}/other`)).status, 404);
    await server.call("DELETE", `${base}/namespaces/default/${plural}/new`);
    assert.equal((await send("new", "")).status, 201);
  });
}

test("an object created by an update may have a resourceVersion but no uid", async () => {
  const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const put = (metadata: object) => server.call("PUT", `${leases}/seen`, { body: { metadata } });
  const known = await put({ name: "seen", uid: "5" });
  assert.equal(known.status, 409);
  assert.match(scalarStringAt(known.body, "message"), /Precondition failed: UID in precondition: 5, /);
  assert.equal((await put({ name: "seen", resourceVersion: "5" })).status, 201);
});

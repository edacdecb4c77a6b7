import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { TestServer } from "../testing/test-server.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const patching = { "content-type": "application/merge-patch+json" };

test("default roles and bindings pass the API's validation", async () => {
  await using server = await TestServer.start();
  let count = 0;
  for (const plural of ["clusterroles", "roles", "clusterrolebindings", "rolebindings"]) {
    const list = (await server.call("GET", `${rbac}/${plural}`)).body;
    for (const item of listAt(list, "items")) {
      const { name, namespace } = Object(item).metadata;
      const path = namespace
        ? `${rbac}/namespaces/${namespace}/${plural}/${name}`
        : `${rbac}/${plural}/${name}`;
      const response = await server.call("PUT", path, { body: item });
      assert.equal(response.status, 200, response.text);
      const revision = scalarStringAt(response.body, "metadata", "resourceVersion");
      assert.equal(revision, scalarStringAt(item, "metadata", "resourceVersion"), `${path} is complete`);
      count++;
    }
  }
  assert.ok(count > 100);
});

test("roles for new kinds are aggregated into view, edit and admin by label, and removed again", async () => {
  await using server = await TestServer.start();
  const resourcesOf = async (role: string) =>
    listAt((await server.call("GET", `${rbac}/clusterroles/${role}`)).body, "rules").flatMap((rule) =>
      stringsAt(rule, "resources"),
    );
  assert.ok(!(await resourcesOf("view")).includes("secrets"));
  assert.ok((await resourcesOf("admin")).includes("rolebindings"));
  assert.ok(!(await resourcesOf("edit")).includes("rolebindings"));
  const labels = { "rbac.authorization.k8s.io/aggregate-to-view": "true" };
  const rules = [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] }];
  await server.call("POST", `${rbac}/clusterroles`, {
    body: { metadata: { name: "widgets", labels }, rules },
  });
  for (const role of ["view", "edit", "admin"]) {
    await until(async () => (await resourcesOf(role)).includes("widgets"));
  }
  await server.call("DELETE", `${rbac}/clusterroles/widgets`);
  for (const role of ["view", "edit", "admin"]) {
    await until(async () => !(await resourcesOf(role)).includes("widgets"));
  }
});

test("parts that an earlier release did not store are added, and additions of the administrator remain", async () => {
  await using server = await TestServer.start();
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const role = (name: string, rest: object) => ({
    apiVersion,
    kind: "ClusterRole",
    metadata: { name },
    ...rest,
  });
  const rule = (resource: string) => ({ apiGroups: ["example.com"], resources: [resource], verbs: ["get"] });
  const selector = (key: string) => ({ matchLabels: { [key]: "true" } });
  const binding = (place: object, roleName: string, user: string) => ({
    apiVersion,
    kind: "RoleBinding",
    metadata: { ...place, name: "readers" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: roleName },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
  });
  const inDefault = `${rbac}/namespaces/default/rolebindings`;
  const create = async (path: string, body: object) =>
    assert.equal((await server.call("POST", path, { body })).status, 201);
  const get = async (path: string) => Object((await server.call("GET", path)).body);
  await create(`${rbac}/clusterroles`, role("plain", { rules: [rule("mine"), rule("old")] }));
  const turnedOff = { name: "off", annotations: { "rbac.authorization.kubernetes.io/autoupdate": "false" } };
  await create(`${rbac}/clusterroles`, role("off", { metadata: turnedOff, rules: [] }));
  const clusterRoleSelectors = [selector("mine")];
  await create(
    `${rbac}/clusterroles`,
    role("union", { aggregationRule: { clusterRoleSelectors }, rules: [] }),
  );
  await create(
    `${rbac}/clusterroles`,
    role("single", { aggregationRule: { clusterRoleSelectors }, rules: [rule("old")] }),
  );
  await create(inDefault, binding({}, "old", "mine"));

  const metadata = {
    name: "plain",
    labels: { kept: "no" },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
  const wanted = [
    role("plain", { metadata, rules: [rule("old"), rule("new")] }),
    role("off", { rules: [rule("new")] }),
    role("union", { aggregationRule: { clusterRoleSelectors: [selector("new")] }, rules: [] }),
    role("single", { rules: [rule("new")] }),
    role("missing", { rules: [rule("new")] }),
    binding({ namespace: "default" }, "new", "default"),
    binding({ namespace: "absent" }, "new", "default"),
  ];
  const uid = Object(await get(`${inDefault}/readers`)).metadata.uid;
  await server.cluster.reconcilePolicy(wanted);

  const plain = await get(`${rbac}/clusterroles/plain`);
  assert.deepEqual(plain.rules, [rule("mine"), rule("old"), rule("new")]);
  assert.deepEqual(plain.metadata.labels, metadata.labels);
  assert.deepEqual(plain.metadata.annotations, metadata.annotations);
  assert.deepEqual((await get(`${rbac}/clusterroles/off`)).rules ?? [], []);
  const union = await get(`${rbac}/clusterroles/union`);
  assert.deepEqual(union.aggregationRule.clusterRoleSelectors, [selector("mine"), selector("new")]);
  assert.equal((await get(`${rbac}/clusterroles/single`)).aggregationRule, undefined);
  assert.deepEqual((await get(`${rbac}/clusterroles/missing`)).rules, [rule("new")]);
  const readers = await get(`${inDefault}/readers`);
  assert.equal(readers.roleRef.name, "new");
  assert.notEqual(readers.metadata.uid, uid, "a binding to a different role is a new object");
  assert.equal((await server.call("GET", `${rbac}/namespaces/absent/rolebindings/readers`)).status, 404);

  const revision = plain.metadata.resourceVersion;
  await server.cluster.reconcilePolicy(wanted);
  const again = await get(`${rbac}/clusterroles/plain`);
  assert.equal(again.metadata.resourceVersion, revision, "nothing is written without a difference");
});

test("a restart restores default permissions, except with autoupdate turned off", async () => {
  const directory = mkdtempSync(join(tmpdir(), "bootstrap-"));
  const file = join(directory, "clusters.db");
  try {
    const first = await TestServer.start(file);
    const patch = async (path: string, body: object) => {
      const response = await first.call("PATCH", `${rbac}/${path}`, { body, headers: patching });
      assert.equal(response.status, 200, response.text);
    };
    const mine = [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }];
    await patch("clusterroles/system:basic-user", { rules: mine });
    await patch("clusterrolebindings/system:basic-user", { subjects: null });
    const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
    await patch("clusterroles/system:discovery", { metadata: { annotations }, rules: mine });
    assert.equal(statSync(file).mode & 0o077, 0, "only the owner can access the file");
    await first[Symbol.asyncDispose]();

    await using second = await TestServer.start(file, first.authority);
    const get = async (path: string) => (await second.call("GET", `${rbac}/${path}`)).body;
    const basic = listAt(await get("clusterroles/system:basic-user"), "rules");
    assert.deepEqual(basic[0], mine[0]);
    assert.equal(basic.length, 3);
    assert.equal(listAt(await get("clusterrolebindings/system:basic-user"), "subjects").length, 1);
    assert.deepEqual(listAt(await get("clusterroles/system:discovery"), "rules"), mine);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

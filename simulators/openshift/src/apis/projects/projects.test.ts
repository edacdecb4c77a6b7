import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../testing/api-world.ts";

const base = "/apis/project.openshift.io/v1";

function request(name: string): object {
  return {
    apiVersion: "project.openshift.io/v1",
    kind: "ProjectRequest",
    metadata: { name },
    displayName: "A Project",
    description: "for tests",
  };
}

test("the requester of a project is its admin and sees only that project", async () => {
  await using world = await ApiWorld.start();
  const alice = await world.user("alice", ["system:authenticated:oauth"]);
  const bob = await world.user("bob", ["system:authenticated:oauth"]);
  const mayAsk = await world.call("GET", `${base}/projectrequests`, { user: alice });
  assert.deepEqual([mayAsk.status, stringAt(mayAsk.body, "kind")], [200, "Status"]);
  const created = await world.call("POST", `${base}/projectrequests`, { body: request("mine"), user: alice });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.equal(stringAt(created.body, "kind"), "Project");
  assert.equal(stringAt(created.body, "metadata", "annotations", "openshift.io/requester"), "alice");
  assert.equal(stringAt(created.body, "metadata", "annotations", "openshift.io/display-name"), "A Project");
  const names = async (user: typeof alice) =>
    listAt((await world.call("GET", `${base}/projects`, { user })).body, "items").map((each) =>
      stringAt(each, "metadata", "name"),
    );
  assert.deepEqual(await names(alice), ["mine"]);
  assert.deepEqual(await names(bob), []);
  const maps = "/api/v1/namespaces/mine/configmaps";
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  assert.equal((await world.call("POST", maps, { body, user: alice })).status, 201);
  assert.equal((await world.call("POST", maps, { body, user: bob })).status, 403);
  assert.equal((await world.call("GET", `${base}/projects/mine`, { user: alice })).status, 200);
  assert.equal((await world.call("GET", `${base}/projects/mine`, { user: bob })).status, 403);
  const again = await world.call("POST", `${base}/projectrequests`, { body: request("mine"), user: bob });
  assert.equal(again.status, 409);
  assert.equal(stringAt(again.body, "message"), 'projects.project.openshift.io "mine" already exists');
});

test("deleting a project deletes its namespace", async () => {
  await using world = await ApiWorld.start();
  await world.call("POST", `${base}/projectrequests`, { body: request("short-lived") });
  assert.equal((await world.call("DELETE", `${base}/projects/short-lived`)).status, 200);
  await eventually(async () => {
    assert.equal((await world.call("GET", "/api/v1/namespaces/short-lived")).status, 404);
  });
  assert.equal((await world.call("GET", `${base}/projects/short-lived`)).status, 404);
});

test("projects are watched as their namespaces change", async () => {
  await using world = await ApiWorld.start();
  const { body } = await world.call("GET", `${base}/projects`);
  const from = stringAt(body, "metadata", "resourceVersion");
  const watching = world.read(`${base}/projects?watch=true&resourceVersion=${from}&timeoutSeconds=1`);
  await world.call("POST", `${base}/projectrequests`, { body: request("watched") });
  const frames = (await watching)
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  assert.equal(stringAt(frames[0], "type"), "ADDED");
  assert.equal(stringAt(frames[0], "object", "kind"), "Project");
  assert.equal(stringAt(frames[0], "object", "metadata", "name"), "watched");
});

test("a new namespace gets OpenShift's defaults", async () => {
  await using world = await ApiWorld.start();
  for (const name of ["one", "two"]) {
    await world.call("POST", "/api/v1/namespaces", {
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    });
  }
  const rangeOf = async (name: string) => {
    const { body } = await world.call("GET", `/api/v1/namespaces/${name}`);
    return stringAt(body, "metadata", "annotations", "openshift.io/sa.scc.uid-range") ?? "";
  };
  await eventually(async () => {
    assert.match(await rangeOf("one"), /^1\d{9}\/10000$/);
    assert.match(await rangeOf("two"), /^1\d{9}\/10000$/);
    assert.notEqual(await rangeOf("one"), await rangeOf("two"));
    for (const account of ["default", "builder", "deployer"]) {
      assert.equal(
        (await world.call("GET", `/api/v1/namespaces/two/serviceaccounts/${account}`)).status,
        200,
      );
    }
    const { body } = await world.call("GET", "/api/v1/namespaces/two/configmaps/openshift-service-ca.crt");
    assert.match(stringAt(body, "data", "service-ca.crt") ?? "", /BEGIN CERTIFICATE/);
  });
});

test("a request cannot assign a project a name, labels or annotations of the platform", async () => {
  await using world = await ApiWorld.start();
  const alice = await world.user("alice", ["system:authenticated:oauth"]);
  for (const name of ["openshift", "kube", "openshift-evil", "kubernetes-evil", "kube-evil"]) {
    const refused = await world.call("POST", `${base}/projectrequests`, { body: request(name), user: alice });
    assert.equal(refused.status, 403, name);
    assert.match(stringAt(refused.body, "message") ?? "", /cannot request a project (starting )?with/);
  }
  const metadata = {
    name: "mine",
    labels: { "openshift.io/run-level": "0" },
    annotations: { "openshift.io/sa.scc.uid-range": "0/10000" },
  };
  const body = { ...request("mine"), metadata };
  const created = await world.call("POST", `${base}/projectrequests`, { body, user: alice });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.equal(stringAt(created.body, "metadata", "labels", "openshift.io/run-level"), undefined);
  const range = stringAt(created.body, "metadata", "annotations", "openshift.io/sa.scc.uid-range");
  assert.notEqual(range, "0/10000");
});

test("administrators of a project can change its description, not its pod security", async () => {
  await using world = await ApiWorld.start();
  const alice = await world.user("alice", ["system:authenticated:oauth"]);
  await world.call("POST", `${base}/projectrequests`, { body: request("mine"), user: alice });
  const patch = (metadata: object) =>
    world.call("PATCH", `${base}/projects/mine`, {
      body: { metadata },
      contentType: "application/merge-patch+json",
      user: alice,
    });
  for (const metadata of [
    { labels: { "openshift.io/run-level": "0" } },
    { labels: { "kubernetes.io/metadata.name": null } },
    { annotations: { "openshift.io/sa.scc.uid-range": "0/10000" } },
    { annotations: { "openshift.io/requester": null } },
  ]) {
    const { status, body } = await patch(metadata);
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(stringAt(body, "message") ?? "", /field is immutable, try updating the namespace/);
  }
  const changed = await patch({ annotations: { "openshift.io/description": "new" } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(stringAt(changed.body, "metadata", "annotations", "openshift.io/description"), "new");
  assert.equal(stringAt(changed.body, "metadata", "annotations", "openshift.io/requester"), "alice");
});

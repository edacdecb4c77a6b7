import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../testing/api-world.ts";

const group = "/apis/quota.openshift.io/v1";

test("a namespace lists the ClusterResourceQuotas that apply to it, with their usage", async () => {
  await using world = await ApiWorld.start();
  for (const [name, labels] of [
    ["team", { team: "x" }],
    ["other", {}],
  ] as const)
    await world.call("POST", "/api/v1/namespaces", { body: { metadata: { name, labels } } });
  const quota = {
    apiVersion: "quota.openshift.io/v1",
    kind: "ClusterResourceQuota",
    metadata: { name: "q" },
    spec: { quota: { hard: { secrets: "10" } }, selector: { labels: { matchLabels: { team: "x" } } } },
  };
  const created = await world.call("POST", `${group}/clusterresourcequotas`, { body: quota });
  assert.equal(created.status, 201, stringAt(created.body, "message"));
  const path = (namespace: string) => `${group}/namespaces/${namespace}/appliedclusterresourcequotas`;
  await eventually(async () => {
    const { body } = await world.call("GET", `${path("team")}/q`);
    assert.match(stringAt(body, "status", "total", "used", "secrets") ?? "", /^\d+$/);
    assert.equal(stringAt(body, "kind"), "AppliedClusterResourceQuota");
    assert.equal(stringAt(body, "status", "namespaces", 0, "namespace"), "team");
  });
  const names = async (namespace: string) =>
    listAt((await world.call("GET", path(namespace))).body, "items").map((each) =>
      valueAt(each, "metadata", "name"),
    );
  assert.deepEqual(await names("team"), ["q"]);
  assert.deepEqual(await names("other"), []);
  const many = Array.from({ length: 100 }, (_, at) => `q-${100 + at}`);
  for (const name of many)
    await world.call("POST", `${group}/clusterresourcequotas`, { body: { ...quota, metadata: { name } } });
  assert.deepEqual(await names("team"), ["q", ...many.slice(0, 99)]);
  assert.equal((await world.call("GET", `${path("other")}/q`)).status, 404);
  assert.equal((await world.call("GET", `${group}/appliedclusterresourcequotas`)).status, 400);
});

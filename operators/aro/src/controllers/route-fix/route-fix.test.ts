import assert from "node:assert/strict";
import { test } from "node:test";
import { resources } from "@keelson/kube";
import { testServers } from "../../testing/index.ts";
import { routeFix } from "./controller.ts";

const { clusterRoleBindings, namespaces, securityContextConstraints } = resources;

for (const { name, start } of testServers) {
  test(`objects of earlier versions are removed, and nothing else, on ${name}`, async () => {
    await using cluster = await start({ kinds: [securityContextConstraints] });
    const binding = (bindingName: string) =>
      cluster.put(clusterRoleBindings, {
        metadata: { name: bindingName },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        subjects: [],
      });
    await binding("routefix");
    await binding("routefix-of-another");
    await cluster.put(namespaces, { metadata: { name: "openshift-azure-routefix" } });
    const operator = await cluster.start({ controllers: [routeFix] });
    await cluster.eventually(async () => {
      assert.equal(
        await cluster.api.find(clusterRoleBindings, { name: "routefix" }, cluster.signal),
        undefined,
      );
      const namespace = { name: "openshift-azure-routefix" };
      const live = await cluster.api.find(namespaces, namespace, cluster.signal);
      // The kube-apiserver of the test runs without controllers, so it does not finish the deletion.
      assert.ok(!live || live.metadata.deletionTimestamp);
    });
    await operator.quiet();
    assert.ok(await cluster.api.find(clusterRoleBindings, { name: "routefix-of-another" }, cluster.signal));
  });
}

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resources } from "@keelson/kube";
import { provesRepair, type TestCluster, type TestOperator, testServers } from "../../testing/index.ts";
import { rbac } from "./controller.ts";
import { diagnosticsRules } from "./diagnostics-rules.ts";
import { sreRules } from "./sre-rules.ts";

const { clusterRoleBindings, clusterRoles } = resources;

test("acceptance 19: neither role grants Secrets, OAuth, everything, or a change of anything but reviews", () => {
  for (const { apiGroups = [], resources: names = [], verbs, nonResourceURLs } of [
    ...sreRules,
    ...diagnosticsRules,
  ]) {
    assert.ok(!names.some((name) => name.startsWith("secrets")));
    assert.ok(!apiGroups.some((group) => group === "oauth.openshift.io" || group === "*"));
    const changes = verbs.filter((verb) => !["get", "list", "watch"].includes(verb));
    assert.ok(changes.length === 0 || names.every((name) => name.endsWith("reviews")), names.join(" "));
    assert.ok(names.length > 0 || nonResourceURLs);
  }
});

for (const { name, start } of testServers) {
  describe(`the roles of SREs on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    before(async () => {
      cluster = await start({ kinds: [] });
      operator = await cluster.start({ controllers: [rbac] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    for (const role of ["system:aro-sre", "system:aro-diagnostics"]) {
      test(`acceptance 19: ${role} is restored, foreign labels and owners are preserved`, async () => {
        const grant = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
        await provesRepair(cluster, operator, {
          resource: clusterRoles,
          key: { name: role },
          edit: { rules: [grant] },
        });
        await provesRepair(cluster, operator, {
          resource: clusterRoleBindings,
          key: { name: role },
          edit: { subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "intruder" }] },
        });
      });
    }

    test("acceptance 19: a rule that was narrowed to names is widened again", async () => {
      const key = { name: "system:aro-diagnostics" };
      const { rules = [] } = (await cluster.api.get(clusterRoles, key, cluster.signal)) as {
        rules?: object[];
      };
      const narrowed = rules.map((rule, index) => (index === 0 ? { ...rule, resourceNames: ["one"] } : rule));
      await cluster.api.mergePatch(clusterRoles, key, { rules: narrowed }, cluster.signal);
      await cluster.eventually(async () => {
        const live = (await cluster.api.get(clusterRoles, key, cluster.signal)) as { rules?: object[] };
        assert.deepEqual(live.rules, rules);
      });
      await operator.quiet();
    });
  });
}

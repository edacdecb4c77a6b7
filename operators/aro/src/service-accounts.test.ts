import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters, isFlagOn, operatorRoles, singleton } from "@keelson/aro-api";
import { operatorManifests } from "@keelson/aro-api/manifests";
import { createLogger, listAt, Metrics, stringAt, systemClock } from "@keelson/base";
import { connectKube, type KubeResource, resources } from "@keelson/kube";
import { createAroOperator } from "./aro-operator.ts";
import { controllersOf } from "./controllers/controllers.ts";
import { putClusterHistory, putPool, type TestCluster, testServers } from "./testing/index.ts";

const options = { image: "keelson:test", usesWorkloadIdentity: false, supportsPodSecurity: true };
const manifests = operatorManifests(options);
const rules = manifests.flatMap(({ object }) => listAt(object, "rules"));

/** Kinds of OpenShift and of OpenShift's monitoring stack that appear in the roles. */
const kinds = Object.values<KubeResource>(resources).filter(
  ({ group, plural }) =>
    /\.(?:openshift\.io|coreos\.com)$/.test(group) &&
    !/(?:^|\.)aro\.openshift\.io$/.test(group) &&
    rules.some(
      (rule) => listAt(rule, "apiGroups").includes(group) && listAt(rule, "resources").includes(plural),
    ),
);

const accountKinds = [
  "Namespace",
  "ServiceAccount",
  "ClusterRole",
  "ClusterRoleBinding",
  "Role",
  "RoleBinding",
];
const pullSecret = { namespace: "openshift-config", name: "pull-secret" };

for (const { name, start } of testServers) {
  describe(`as their service accounts on ${name}`, () => {
    let cluster: TestCluster;
    const stop = new AbortController();
    const running: Promise<void>[] = [];

    before(async () => {
      cluster = await start({ kinds, spec: { banner: { content: "ContactSupport" } } });
      for (const { resource, object } of manifests)
        if (accountKinds.includes(object.kind)) await cluster.put(resource, object);
      await cluster.put(resources.secrets, {
        metadata: { namespace: "openshift-azure-operator", name: "cluster" },
        stringData: { ".dockerconfigjson": '{"auths":{"arosvc.example.io":{"auth":"eDp5"}}}' },
      });
      await putClusterHistory(cluster, { state: "Completed", version: "4.19.24" });
      for (const pool of ["master", "worker"]) await putPool(cluster, pool);
      await cluster.configure({
        operatorflags: { "aro.banner.enabled": "true", "aro.forcereconciliation": "true" },
      });
    });

    after(async () => {
      stop.abort();
      await Promise.all(running);
      await cluster?.[Symbol.asyncDispose]();
    });

    test("the operator maintains its objects without a denied request", async () => {
      const refusals: string[] = [];
      const destination = { write: (line: string) => void (/forbidden/i.test(line) && refusals.push(line)) };
      const logger = createLogger({ level: "debug", destination });
      for (const role of operatorRoles) {
        const user = `system:serviceaccount:openshift-azure-operator:aro-operator-${role}`;
        const api = connectKube({
          kubeconfig: await cluster.kubeconfigOf(user),
          userAgent: "test/1",
          fieldManager: "aro-operator",
        });
        const operator = createAroOperator({
          role,
          api,
          version: "test",
          instance: role,
          environment: {},
          metrics: new Metrics(),
          clock: systemClock,
          logger,
        });
        running.push(operator.run(stop.signal).finally(() => api[Symbol.asyncDispose]()));
      }
      await cluster.eventually(async () => {
        await cluster.api.get(resources.secrets, pullSecret, cluster.signal);
        await cluster.api.get(resources.consoleNotifications, { name: "openshift-aro-sre" }, cluster.signal);
        await cluster.api.get(resources.clusterOperators, { name: "aro" }, cluster.signal);
        const { spec, status } = await cluster.api.get(clusters, singleton, cluster.signal);
        const types = listAt({ status }, "status", "conditions").map((each) => stringAt(each, "type"));
        for (const { name: own, conditionNames = [own], conditions, flag, keys } of controllersOf.master) {
          const isOn = flag === undefined || isFlagOn(spec?.operatorflags, flag);
          // A controller with one key per object reports nothing in this test.
          if (conditions === "none" || keys || !isOn) continue;
          for (const each of conditionNames) assert.ok(types.includes(`${each}ControllerDegraded`), each);
        }
        assert.ok(types.includes("InternetReachableFromWorker"));
      });
      const { status } = await cluster.api.get(clusters, singleton, cluster.signal);
      const forbidden = listAt({ status }, "status", "conditions").filter((each) =>
        /forbidden/i.test(stringAt(each, "message") ?? ""),
      );
      assert.deepEqual(forbidden, []);
      assert.deepEqual(refusals, []);
    });
  });
}

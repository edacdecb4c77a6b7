import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import { resources } from "@keelson/kube";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { operatorSources } from "./operator.ts";

const namespace = "openshift-azure-operator";
const message = "ReplicaSet has timed out progressing.";
const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

test("a failed operation reports the operator's incomplete Deployments and their progress", async () => {
  const { context, kube } = memoryCluster({ aroServiceKubeconfig: new Secret("there") });
  const put = (name: string, status: object) =>
    kube.put(resources.deployments, {
      metadata: { namespace, name, generation: 2 },
      spec: { replicas: 1 },
      status,
    });
  put("aro-operator-worker", { observedGeneration: 2, ...counts });
  const conditions = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message }];
  put("aro-operator-master", { observedGeneration: 2, replicas: 1, conditions });
  kube.put(resources.replicaSets, {
    metadata: { namespace, name: "aro-operator-master-abc" },
    spec: { replicas: 1 },
  });
  const source = operatorSources.find(({ name }) => name === "operatorDeployments");
  const found = await source?.inspect(context);
  assert.equal(
    found?.summary,
    "Deployments of the cluster's operator are not rolled out: aro-operator-master.",
  );
  const [, master, replicaSet] = found?.facts ?? [];
  assert.deepEqual(master, {
    deployment: "aro-operator-master",
    wanted: 1,
    ...{ replicas: 1, updatedReplicas: 0, readyReplicas: 0, availableReplicas: 0 },
    generation: 2,
    observedGeneration: 2,
    conditions,
  });
  assert.equal(replicaSet?.replicaSet, "aro-operator-master-abc");
  put("aro-operator-master", { observedGeneration: 2, ...counts });
  assert.equal((await source?.inspect(context))?.summary, undefined);
});

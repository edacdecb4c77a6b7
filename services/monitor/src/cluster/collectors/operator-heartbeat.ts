import { operatorNameOf, operatorRoles } from "@keelson/aro-api";
import { numberAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { defineCollector } from "../collector.ts";

export const operatorHeartbeat = defineCollector({
  name: "emitAroOperatorHeartbeat",
  metrics: {
    "arooperator.heartbeat": {
      help: "1 while all replicas of the ARO operator's Deployment are updated and available, else 0.",
      dimensions: ["name"],
    },
  },
  async collect({ view, emit }) {
    const deployments = await view.operatorDeployments();
    for (const role of operatorRoles) {
      const name = operatorNameOf(role);
      const deployment = deployments.find((each) => each.metadata.name === name);
      emit("arooperator.heartbeat", deployment && isReady(deployment) ? 1 : 0, { name });
    }
  },
});

function isReady(deployment: KubeObject): boolean {
  const wanted = numberAt(deployment, "spec", "replicas") ?? 1;
  const count = (member: string) => numberAt(deployment, "status", member) ?? 0;
  return (
    ["availableReplicas", "updatedReplicas", "replicas"].every((member) => count(member) === wanted) &&
    count("observedGeneration") === (deployment.metadata.generation ?? 0)
  );
}

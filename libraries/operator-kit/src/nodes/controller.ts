import { stringAt } from "@keelson/base";
import type { Condition, Controller } from "@keelson/controller";
import { findCondition, type KubeObject } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { masters, type StaticPod, watchMasters } from "../static-pod/static-pod.ts";
import { planEntries } from "./plan-entries.ts";

const type = "NodeControllerDegraded";

/** Keeps an entry in the status for each master, and says which masters are not ready. */
export function nodes<Parts extends OperatorParts>(pod: StaticPod): Controller<Parts> {
  return operatorController<Parts>(pod.resource, {
    name: "NodeController",
    degraded: { type, failed: "SyncError" },
    watches: [watchMasters((node) => [node.metadata.uid, readyCondition(node)])],
    resyncMs: 600_000,
    async reconcile({ configuration, parts, signal }) {
      const found = masters(parts.cache);
      const { events, steps } = planEntries(configuration, found);
      if (steps.length > 0) {
        await parts.operator.patchStatus(steps, signal);
        for (const event of events) parts.events.report({ ...event, subject: event.message });
      }
      const condition = mastersReady(found);
      const before = findCondition(configuration, type);
      if (stringAt(before, "message") !== condition.message)
        parts.events.report({
          type: "Normal",
          reason: "MasterNodesReadyChanged",
          message: condition.message ?? "",
        });
      return { conditions: [condition] };
    },
  });
}

function mastersReady(found: readonly KubeObject[]): Condition {
  const notReady = found.flatMap((node) => {
    const name = JSON.stringify(node.metadata.name);
    const ready = readyCondition(node);
    if (!ready) return [`node ${name} not ready, no Ready condition found in status block`];
    if (ready.status === "True") return [];
    return [`node ${name} not ready since ${ready.since} because ${ready.reason} (${ready.message})`];
  });
  const reason = "MasterNodesReady";
  return notReady.length > 0
    ? { type, status: "True", reason, message: `The master nodes not ready: ${notReady.join(", ")}` }
    : { type, status: "False", reason, message: "All master nodes are ready" };
}

function readyCondition(node: KubeObject) {
  const ready = findCondition(node, "Ready");
  if (ready === undefined) return undefined;
  return {
    status: stringAt(ready, "status"),
    since: stringAt(ready, "lastTransitionTime") ?? "",
    reason: stringAt(ready, "reason") ?? "",
    message: stringAt(ready, "message") ?? "",
  };
}

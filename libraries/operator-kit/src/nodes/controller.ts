import { stringAt } from "@keelson/base";
import type { Controller } from "@keelson/controller";
import { findCondition } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { masters, type StaticPod, watchMasters } from "../static-pod/static-pod.ts";
import { mastersReady, nodeControllerDegraded as type, readyCondition } from "./masters-ready.ts";
import { planEntries } from "./plan-entries.ts";

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

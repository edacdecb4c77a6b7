import { messageOf, stringAt } from "@keelson/base";
import type { Condition, Controller } from "@keelson/controller";
import { findCondition, isConflict } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { masters, type StaticPod, watchMasters } from "../static-pod/static-pod.ts";
import { mastersReady, readyCondition, nodeControllerDegraded as type } from "./masters-ready.ts";
import { planEntries } from "./plan-entries.ts";

const retryMs = 10_000;

/** Maintains one status entry for each master. Reports masters that are not ready. */
export function nodes<Parts extends OperatorParts>(pod: StaticPod): Controller<Parts> {
  return operatorController<Parts>(pod.resource, {
    name: "NodeController",
    degraded: { type, failed: "SyncError" },
    watches: [watchMasters((node) => [node.metadata.uid, readyCondition(node)])],
    resyncMs: 600_000,
    async reconcile({ configuration, parts, signal }) {
      const found = masters(parts.cache);
      const { events, isRemoval, steps } = planEntries(configuration, found);
      if (steps.length > 0) {
        const failed = await parts.operator.patchStatus(steps, signal).then(
          () => undefined,
          (error: unknown) => {
            if (!isRemoval || isConflict(error) || signal.aborted) throw error;
            return notRemoved(error);
          },
        );
        if (failed) return { conditions: [failed], requeueAfterMs: retryMs };
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

/**
 * Returns the condition for masters that no longer exist, but have a status entry that the API server did not remove. The
 * operator still waits for these masters.
 */
function notRemoved(error: unknown): Condition {
  const message = `failed applying JSONPatch, err: ${messageOf(error)}`;
  return { type, status: "True", reason: "MasterNodeNotRemoved", message };
}

import { listAt, stringAt, valueAt } from "@keelson/base";
import type { Condition, Controller } from "@keelson/controller";
import type { JsonPatchStep, KubeObject } from "@keelson/kube";
import { findCondition } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { newNodeStatus, nodeStatuses, onTheWire } from "../static-pod/node-status.ts";
import { masters, type StaticPod, watchMasters } from "../static-pod/static-pod.ts";

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

/** Entries of masters that are gone, or were replaced under their name, go; new ones are added at the end. */
function planEntries(configuration: KubeObject, found: readonly KubeObject[]) {
  const steps: JsonPatchStep[] = [];
  const events: { type: "Normal" | "Warning"; reason: string; message: string }[] = [];
  const entries = listAt(configuration, "status", "nodeStatuses");
  const kept = new Set<string>();
  const removals: JsonPatchStep[][] = [];
  for (const [index, { nodeName, nodeUID }] of nodeStatuses(configuration).entries()) {
    const node = found.find(({ metadata: { name } }) => name === nodeName);
    if (node && (nodeUID === undefined || nodeUID === node.metadata.uid) && !kept.has(nodeName)) {
      kept.add(nodeName);
      continue;
    }
    const path = `/status/nodeStatuses/${index}`;
    // From the last: each removal moves what follows.
    removals.unshift([
      { op: "test", path, value: entries[index] },
      { op: "remove", path },
    ]);
    const message = `Observed removal of master node ${nodeName} (UID: ${nodeUID ?? ""})`;
    events.push({ type: "Warning", reason: "MasterNodeRemoved", message });
  }
  const added = found
    .filter(({ metadata: { name } }) => !kept.has(name))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  if (valueAt(configuration, "status", "nodeStatuses") === undefined && added.length > 0) {
    if (valueAt(configuration, "status") === undefined) steps.push({ op: "add", path: "/status", value: {} });
    steps.push({ op: "add", path: "/status/nodeStatuses", value: [] });
  }
  steps.push(...removals.flat());
  for (const { metadata } of added) {
    const { name, uid } = metadata;
    steps.push({ op: "add", path: "/status/nodeStatuses/-", value: onTheWire(newNodeStatus(name, uid)) });
    const message = `Observed new master node ${name} (UID: ${uid ?? ""})`;
    events.push({ type: "Normal", reason: "MasterNodeObserved", message });
  }
  return { steps, events };
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

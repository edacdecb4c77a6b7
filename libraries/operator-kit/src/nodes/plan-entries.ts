import { listAt, valueAt } from "@keelson/base";
import type { EventText } from "@keelson/controller";
import type { JsonPatchStep, KubeObject } from "@keelson/kube";
import { newNodeStatus, nodeStatuses, onTheWire } from "../static-pod/node-status.ts";

export interface EntriesPlan {
  readonly steps: readonly JsonPatchStep[];
  readonly events: readonly Omit<EventText, "subject">[];
  /** True if the plan removes an entry. */
  readonly isRemoval: boolean;
}

/**
 * Plans the entries of `status.nodeStatuses`. Entries of deleted and replaced masters are removed. Entries of new masters are
 * appended. An entry without a UID comes from an older release and gets the UID of its node.
 */
export function planEntries(configuration: KubeObject, masters: readonly KubeObject[]): EntriesPlan {
  const events: Omit<EventText, "subject">[] = [];
  const entries = listAt(configuration, "status", "nodeStatuses");
  const kept = new Set<string>();
  const adoptions: JsonPatchStep[] = [];
  const removals: JsonPatchStep[][] = [];
  for (const [index, { nodeName, nodeUID = "" }] of nodeStatuses(configuration).entries()) {
    const path = `/status/nodeStatuses/${index}`;
    const unchanged: JsonPatchStep = { op: "test", path, value: entries[index] };
    const node = masters.find(({ metadata: { name } }) => name === nodeName);
    const uid = node?.metadata.uid ?? "";
    if (node && (nodeUID === "" || nodeUID === uid) && !kept.has(nodeName)) {
      kept.add(nodeName);
      if (nodeUID !== uid) adoptions.push(unchanged, { op: "add", path: `${path}/nodeUID`, value: uid });
      continue;
    }
    // Entries are removed from last to first, because each removal changes the index of all later entries.
    removals.unshift([unchanged, { op: "remove", path }]);
    const message = `Observed removal of master node ${nodeName} (UID: ${nodeUID})`;
    events.push({ type: "Warning", reason: "MasterNodeRemoved", message });
  }
  const added = masters
    .filter(({ metadata: { name } }) => !kept.has(name))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const steps: JsonPatchStep[] = [];
  if (valueAt(configuration, "status", "nodeStatuses") === undefined && added.length > 0) {
    if (valueAt(configuration, "status") === undefined) steps.push({ op: "add", path: "/status", value: {} });
    steps.push({ op: "add", path: "/status/nodeStatuses", value: [] });
  }
  steps.push(...adoptions, ...removals.flat());
  for (const { metadata } of added) {
    const { name, uid } = metadata;
    steps.push({ op: "add", path: "/status/nodeStatuses/-", value: onTheWire(newNodeStatus(name, uid)) });
    const message = `Observed new master node ${name} (UID: ${uid ?? ""})`;
    events.push({ type: "Normal", reason: "MasterNodeObserved", message });
  }
  return { steps, events, isRemoval: removals.length > 0 };
}

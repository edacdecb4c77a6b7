import type { Condition } from "@keelson/controller";
import type { NodeStatus } from "../static-pod/node-status.ts";

export const installConditionTypes = [
  "StaticPodsAvailable",
  "NodeInstallerProgressing",
  "NodeInstallerDegraded",
] as const;

/** Returns the rollout conditions. Their messages equal those of library-go. */
export function installConditions(nodes: readonly NodeStatus[], latest: number): readonly Condition[] {
  const byRevision = Map.groupBy(nodes, ({ currentRevision }) => currentRevision);
  const parts = [...byRevision]
    .sort(([a], [b]) => a - b)
    .map(
      ([revision, { length }]) => `${length} ${length > 1 ? "nodes are" : "node is"} at revision ${revision}`,
    );
  const isProgressing = nodes.some(({ currentRevision }) => currentRevision !== latest);
  if (isProgressing && !byRevision.has(latest)) parts.push(`0 nodes have achieved new revision ${latest}`);
  const description = parts.join("; ");
  const active = nodes.filter(({ currentRevision }) => currentRevision > 0).length;
  const available = { type: "StaticPodsAvailable", message: `${active} nodes are active; ${description}` };
  const progressing = { type: "NodeInstallerProgressing", message: description };
  return [
    active > 0
      ? { ...available, status: "True" }
      : { ...available, status: "False", reason: "ZeroNodesActive" },
    isProgressing
      ? { ...progressing, status: "True" }
      : { ...progressing, status: "False", reason: "AllNodesAtLatestRevision" },
    failing(nodes),
  ];
}

/**
 * Returns the condition `NodeInstallerDegraded`. A node that fell back to its previous revision still serves and is not counted.
 */
function failing(nodes: readonly NodeStatus[]): Condition {
  const type = "NodeInstallerDegraded";
  const failed = nodes.filter(
    ({ lastFailedRevision, targetRevision, lastFailedReason }) =>
      lastFailedRevision !== 0 &&
      lastFailedRevision === targetRevision &&
      lastFailedReason !== "OperandFailedFallback",
  );
  if (failed.length === 0) return { type, status: "False" };
  const message = [...Map.groupBy(failed, ({ lastFailedRevision }) => lastFailedRevision)]
    .sort(([a], [b]) => a - b)
    .map(([revision, each]) => {
      const errors = each.flatMap(({ lastFailedRevisionErrors }) => lastFailedRevisionErrors);
      return `${each.length} nodes are failing on revision ${revision}:\n${errors.join("\n")}`;
    })
    .join("; ");
  return { type, status: "True", reason: "InstallerPodFailed", message };
}

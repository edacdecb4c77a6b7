import { stringAt } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import { findCondition, type KubeObject } from "@keelson/kube";

export const nodeControllerDegraded = "NodeControllerDegraded";

/** Returns the condition that names all masters that are not ready. */
export function mastersReady(masters: readonly KubeObject[]): Condition {
  const notReady = masters.flatMap((node) => {
    const name = JSON.stringify(node.metadata.name);
    const ready = readyCondition(node);
    if (!ready) return [`node ${name} not ready, no Ready condition found in status block`];
    if (ready.status === "True") return [];
    return [`node ${name} not ready since ${goTime(ready.since)} because ${ready.reason} (${ready.message})`];
  });
  const [type, reason] = [nodeControllerDegraded, "MasterNodesReady"];
  return notReady.length > 0
    ? { type, status: "True", reason, message: `The master nodes not ready: ${notReady.join(", ")}` }
    : { type, status: "False", reason, message: "All master nodes are ready" };
}

export function readyCondition(node: KubeObject) {
  const ready = findCondition(node, "Ready");
  if (ready === undefined) return undefined;
  return {
    status: stringAt(ready, "status"),
    since: stringAt(ready, "lastTransitionTime") ?? "",
    reason: stringAt(ready, "reason") ?? "",
    message: stringAt(ready, "message") ?? "",
  };
}

/** Formats a time like Go: `2018-01-12 22:51:48 +0000 UTC`. Returns the zero time for an invalid string. */
function goTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return "0001-01-01 00:00:00 +0000 UTC";
  return `${time.toISOString().slice(0, 19).replace("T", " ")} +0000 UTC`;
}

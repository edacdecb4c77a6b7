import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { conditionStatus } from "@keelson/kube";

const managed: ReadonlySet<string | undefined> = new Set([
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/disk-pressure",
  "node.kubernetes.io/unschedulable",
]);

/**
 * Returns a node's taints, updated for its conditions and its cordon. Other taints remain. `undefined` if the current taints are
 * correct.
 */
export function nodeTaints(node: KubeObject, now: Date): readonly unknown[] | undefined {
  const present = listAt(node, "spec", "taints");
  const others = present.filter((taint) => !managed.has(stringAt(taint, "key")));
  const wanted = wantedTaints(node).map((taint) => {
    const before = present.find(
      (each) => stringAt(each, "key") === taint.key && stringAt(each, "effect") === taint.effect,
    );
    return before === undefined ? { ...taint, timeAdded: timestamp(now) } : objectAt(before);
  });
  const taints = [...others, ...wanted];
  return isDeepStrictEqual(present, taints) ? undefined : taints;
}

function wantedTaints(node: KubeObject): readonly { readonly key: string; readonly effect: string }[] {
  const ready = conditionStatus(node, "Ready");
  const lost =
    ready === "True" || ready === undefined
      ? undefined
      : `node.kubernetes.io/${ready === "Unknown" ? "unreachable" : "not-ready"}`;
  return [
    ...(lost ? ["NoSchedule", "NoExecute"].map((effect) => ({ key: lost, effect })) : []),
    ...(conditionStatus(node, "DiskPressure") === "True"
      ? [{ key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" }]
      : []),
    ...(valueAt(node, "spec", "unschedulable") === true
      ? [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }]
      : []),
  ];
}

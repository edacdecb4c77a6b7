import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, textAt } from "../../runtime/fields.ts";

const lifecycleTaints: Readonly<Record<"True" | "False" | "Unknown", string | undefined>> = {
  True: undefined,
  False: "node.kubernetes.io/not-ready",
  Unknown: "node.kubernetes.io/unreachable",
};

/**
 * The taints of a node whose Ready condition has this status, as the node life cycle controller sets them;
 * `undefined` when they are right. Taints of others stay.
 */
export function nodeTaints(
  node: KubeObject,
  ready: "True" | "False" | "Unknown",
): readonly unknown[] | undefined {
  const present = listAt(node, "spec", "taints");
  const managed = Object.values(lifecycleTaints);
  const others = present.filter((taint) => !managed.includes(textAt(taint, "key")));
  const key = lifecycleTaints[ready];
  const wanted =
    key === undefined
      ? []
      : [
          { key, effect: "NoSchedule" },
          { key, effect: "NoExecute" },
        ];
  const taints = [...others, ...wanted];
  return isDeepStrictEqual(present, taints) ? undefined : taints;
}

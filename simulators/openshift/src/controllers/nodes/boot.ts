import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { stringMapAt } from "../../base/fields.ts";
import { configNames } from "../machine-configs/names.ts";

/** Returns the boot ID for a boot at `time`. It is unique for each node and reboot. */
export function bootIdOf(node: KubeObject, time: string): string {
  const hex = createHash("sha256").update(`${node.metadata.uid} ${time}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

/** Returns the end time of a node's reboot. `undefined` if the node is not rebooting. */
export function rebootUntil(
  node: KubeObject | undefined,
): { readonly text: string; readonly at: Date } | undefined {
  const annotations = stringMapAt(node, "metadata", "annotations");
  const text = annotations[configNames.rebootUntil];
  if (text === undefined || annotations[configNames.state] !== "Rebooting") return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : { text, at: time };
}

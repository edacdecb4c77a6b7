import { numberAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { type Fault, fault } from "./fault.ts";

/**
 * Returns a fault if more pods are unavailable than a rolling update may stop concurrently. Nodes that reboot one after the other
 * therefore cause no fault.
 */
export function daemonSetFault(daemonSet: KubeObject): Fault | undefined {
  const wanted = numberAt(daemonSet, "status", "desiredNumberScheduled") ?? 0;
  const ready = numberAt(daemonSet, "status", "numberAvailable") ?? 0;
  const missing = wanted - ready;
  if (
    missing <=
    allowed(valueAt(daemonSet, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable"), wanted)
  )
    return undefined;
  return fault(`${ready} of ${wanted} pods available`);
}

/**
 * Returns the value of `maxUnavailable`, which is a number or a percentage (rounded up). Default: 1. The result is less than the
 * number of nodes.
 */
function allowed(maxUnavailable: unknown, wanted: number): number {
  const [, percent] = /^(\d{1,3})%$/.exec(String(maxUnavailable)) ?? [];
  const given = percent === undefined ? maxUnavailable : Math.ceil((wanted * Number(percent)) / 100);
  const most = Math.max(wanted - 1, 0);
  return Math.min(typeof given === "number" ? Math.max(given, 1) : 1, most);
}

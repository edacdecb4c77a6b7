import { numberAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { type Fault, fault } from "./fault.ts";

/**
 * A DaemonSet lacks pods when more are not available than its update may take down at a time: nodes that reboot one
 * after another are none.
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

/** A number or a percentage of all, rounded up; 1 when neither. A DaemonSet with few nodes never has all of them down. */
function allowed(maxUnavailable: unknown, wanted: number): number {
  const [, percent] = /^(\d{1,3})%$/.exec(String(maxUnavailable)) ?? [];
  const given = percent === undefined ? maxUnavailable : Math.ceil((wanted * Number(percent)) / 100);
  const most = Math.max(wanted - 1, 0);
  return Math.min(typeof given === "number" ? Math.max(given, 1) : 1, most);
}

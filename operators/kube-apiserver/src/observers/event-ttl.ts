import { numberAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ConfigObserver } from "@keelson/operator-kit";
import { isEnabled } from "../config/feature-gates.ts";
import { argumentPath, withArguments } from "./arguments.ts";
import { gatesFor, gatesInput } from "./gates.ts";
import { clusterInput, getSingleton } from "./inputs.ts";

/** Maximum duration in minutes. Go, which stores durations as 64-bit nanoseconds, cannot store a longer duration. */
const maxMinutes = 153_722_867;

/** Observes the retention time of Events. */
export function eventTtlObserver(version: string): ConfigObserver {
  return {
    name: "ObserveEventTTL",
    paths: [argumentPath("event-ttl")],
    inputs: [gatesInput, clusterInput(resources.kubeApiServers)],
    observe({ objects }) {
      if (!isEnabled(gatesFor(objects, version), "EventTTL")) return { config: {} };
      const minutes =
        numberAt(getSingleton(objects, resources.kubeApiServers), "spec", "eventTTLMinutes") ?? 0;
      if (minutes > maxMinutes)
        throw new Error(`spec.eventTTLMinutes: ${minutes} is more than ${maxMinutes}`);
      return { config: withArguments({ "event-ttl": minutes > 0 ? [`${minutes}m`] : undefined }) };
    },
  };
}

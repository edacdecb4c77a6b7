import type { Metrics } from "@keelson/base";
import type { DropReason } from "./pending-connections.ts";

/** Returns a function that counts dropped connections in the metric `<listener>_connections_dropped_total`. */
export function countDropped(metrics: Metrics | undefined, listener: string): (reason: DropReason) => void {
  const counter = metrics?.counter({
    name: `${listener}_connections_dropped_total`,
    help: "Unauthenticated connections that were dropped, by the limit: source, total or time.",
    labels: ["reason"],
  });
  return (reason) => counter?.inc({ reason });
}

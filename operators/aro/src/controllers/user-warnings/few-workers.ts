import type { Warning } from "./warning.ts";

/** Minimum number of workers of a supported cluster. */
export const fewestWorkers = 3;

export function fewWorkers(workers: number): Warning | undefined {
  if (workers >= fewestWorkers) return undefined;
  return {
    name: "aro-sre-unsupported-condition",
    reason: "TooFewWorkers",
    text: `Unsupported Cluster State: There needs to be at least ${fewestWorkers} worker nodes running`,
  };
}

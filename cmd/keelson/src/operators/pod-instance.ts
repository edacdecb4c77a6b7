import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { ElectionSettings } from "@keelson/controller";

export interface PodInstance {
  /** Unique ID of this process. It changes at each start. */
  readonly instance: string;
  readonly election: Pick<ElectionSettings, "pod">;
}

/**
 * Returns the identity of an operator process for leases and Events. The identity contains the pod name, or the host name outside
 * of a pod.
 */
export function podInstance({ POD_NAME: pod }: Readonly<Record<string, string | undefined>>): PodInstance {
  return { instance: `${pod || hostname()}_${randomUUID()}`, election: pod ? { pod } : {} };
}

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { ElectionSettings } from "@keelson/controller";

export interface PodInstance {
  /** Another one at each start. */
  readonly instance: string;
  readonly election: Pick<ElectionSettings, "pod">;
}

/** Identity of an operator in leases and Events: name of its pod, or of the machine outside of a pod. */
export function podInstance({ POD_NAME: pod }: Readonly<Record<string, string | undefined>>): PodInstance {
  return { instance: `${pod || hostname()}_${randomUUID()}`, election: pod ? { pod } : {} };
}

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { ElectionSettings } from "@keelson/controller";

export interface PodInstance {
  /** Another one at each start. */
  readonly instance: string;
  readonly election: Pick<ElectionSettings, "pod">;
}

/** What an operator is called in leases and Events: by its pod, or by the machine where it runs in none. */
export function podInstance({ POD_NAME: pod }: Readonly<Record<string, string | undefined>>): PodInstance {
  return { instance: `${pod || hostname()}_${randomUUID()}`, election: pod ? { pod } : {} };
}

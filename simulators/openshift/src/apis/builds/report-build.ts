import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import type { Cluster } from "../../runtime/cluster.ts";
import { changeObject } from "../optimistic-write.ts";
import { builds, isTerminal } from "./build-refs.ts";

export interface Report {
  readonly phase: string;
  readonly reason?: string;
  readonly message?: string;
  readonly output?: object;
  readonly outputDockerImageReference?: string;
}

/**
 * Writes the phase of a build with its condition and times. Does not change an ended build. A build that a client has cancelled only
 * becomes Cancelled.
 */
export async function reportBuild(
  { metadata: { namespace, name } }: KubeObject,
  { client, clock }: Pick<Cluster, "client" | "clock">,
  { phase, reason, message, ...fields }: Report,
): Promise<void> {
  const now = timestamp(clock.now());
  await changeObject(client, builds, { namespace, name }, "main", (current) => {
    const { reason: before, message: _, ...status } = objectAt(current, "status");
    if (isTerminal(current) || (status.phase === phase && before === reason)) return undefined;
    if (status.cancelled === true && phase !== "Cancelled") return undefined;
    const isOver = isTerminal({ ...current, status: { phase } });
    const started = stringAt(status, "startTimestamp") ?? (phase === "Running" || isOver ? now : undefined);
    const conditions = listAt(status, "conditions").map((each) => ({
      ...objectAt(each),
      ...(stringAt(each, "type") === phase ? {} : { status: "False" }),
    }));
    const entry = { type: phase, status: "True", lastUpdateTime: now, lastTransitionTime: now };
    const explained = { ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
    return {
      ...current,
      status: {
        ...status,
        ...fields,
        ...explained,
        phase,
        ...(started ? { startTimestamp: started } : {}),
        ...(isOver
          ? { completionTimestamp: now, duration: (Date.parse(now) - Date.parse(started ?? now)) * 1e6 }
          : {}),
        conditions: [
          ...conditions.filter((each) => stringAt(each, "type") !== phase),
          { ...entry, ...explained },
        ],
      },
    };
  });
}

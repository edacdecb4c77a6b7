import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { messageOf, numberAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { resources } from "../base/resources.ts";
import { hasReason } from "../base/status-reason.ts";
import type { WorkloadContext } from "./workload-context.ts";

export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** Component that reports the event. */
  readonly source: string;
  /** Node name. Set only for kubelet events. */
  readonly host?: string;
}

/** Records an Event for an object. A repeated Event increments the count. Errors are only logged. */
export async function recordEvent(
  context: WorkloadContext,
  about: KubeObject,
  { type, reason, message, source, host }: EventText,
): Promise<void> {
  const { client, clock, logger } = context;
  const { name, uid, resourceVersion } = about.metadata;
  const namespace = about.metadata.namespace ?? "default";
  const hash = createHash("sha256")
    .update(JSON.stringify([uid, reason, message, source]))
    .digest("hex");
  const key = { namespace, name: `${name}.${hash.slice(0, 16)}` };
  const now = timestamp(clock.now());
  await context.writeTurn();
  try {
    const present = await client.find(resources.events, key);
    if (present) {
      const count = (numberAt(present, "count") ?? 1) + 1;
      await client.mergePatch(resources.events, key, { count, lastTimestamp: now });
      return;
    }
    await client.create(resources.events, {
      apiVersion: "v1",
      kind: "Event",
      metadata: key,
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        ...(about.metadata.namespace ? { namespace } : {}),
        name,
        uid,
        resourceVersion,
      },
      type,
      reason,
      message,
      source: { component: source, ...(host ? { host } : {}) },
      reportingComponent: source,
      reportingInstance: host ?? "",
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
    });
  } catch (error) {
    // The namespace is terminating, or the same Event was written concurrently.
    if (hasReason(error, "Forbidden") || hasReason(error, "AlreadyExists") || hasReason(error, "NotFound"))
      return;
    logger.debug({ reason, error: messageOf(error) }, "event not recorded");
  }
}

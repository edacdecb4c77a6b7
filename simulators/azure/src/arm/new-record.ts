import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { lastSegment } from "./arm-path.ts";
import type { ResourceRecord } from "./resource.ts";
import { type Subscription, timestamp } from "./subscription.ts";

/** Returns a resource that the service creates on behalf of a client's resource. */
export function newRecord(
  subscription: Subscription,
  resource: Pick<ResourceRecord, "id" | "type" | "body"> & { readonly hidden?: JsonObject },
): ResourceRecord {
  const now = timestamp(subscription);
  const name = lastSegment(resource.id);
  return { hidden: {}, ...resource, name, etag: randomUUID(), createdAt: now, changedAt: now };
}

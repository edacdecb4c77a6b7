import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { lastSegment } from "./arm-path.ts";
import type { ResourceRecord } from "./resource.ts";
import { timestamp, type World } from "./world.ts";

/** A resource that the service makes on its own, beside one that a client wrote. */
export function newRecord(
  world: World,
  resource: Pick<ResourceRecord, "id" | "type" | "body"> & { readonly hidden?: JsonObject },
): ResourceRecord {
  const now = timestamp(world);
  const name = lastSegment(resource.id);
  return { hidden: {}, ...resource, name, etag: randomUUID(), createdAt: now, changedAt: now };
}

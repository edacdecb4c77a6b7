import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { recordAt } from "../base/fields.ts";
import type { Resource } from "../base/resources.ts";
import type { WorkloadContext } from "./workload-context.ts";

/** Replaces the status if it has changed. A conflict throws, and the caller's key is retried. */
export async function writeStatus(
  context: WorkloadContext,
  resource: Resource,
  object: KubeObject,
  status: Readonly<Record<string, unknown>>,
): Promise<KubeObject> {
  // A round trip through JSON drops undefined fields, which do not exist on the wire.
  const wanted: unknown = JSON.parse(JSON.stringify(status));
  if (isDeepStrictEqual(recordAt(object, "status"), wanted)) return object;
  return context.updateStatus(resource, { ...object, status: wanted });
}

import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { objectAt } from "@keelson/base";
import type { Resource } from "../base/resources.ts";
import type { WorkloadContext } from "./workload-context.ts";

/** Writes the status if it has changed. Throws after a conflict, so that the controller retries the key. */
export async function writeStatus(
  context: WorkloadContext,
  resource: Resource,
  object: KubeObject,
  status: Readonly<Record<string, unknown>>,
): Promise<KubeObject> {
  // Removes undefined fields because JSON does not contain them.
  const wanted: unknown = JSON.parse(JSON.stringify(status));
  if (isDeepStrictEqual(objectAt(object, "status"), wanted)) return object;
  return context.updateStatus(resource, { ...object, status: wanted });
}

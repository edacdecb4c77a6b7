import type { ClusterClient, KubeObject, ObjectKey, ResourceRef } from "@keelson/apiserver";
import { hasReason } from "../base/status-reason.ts";

const maxAttempts = 10;

/**
 * Updates an object, its status, or both with the result of `change`. Retries after conflicts. If `change` returns `undefined`,
 * the object is not written. Returns the stored object.
 * @throws StatusError
 */
export async function changeObject(
  client: ClusterClient,
  ref: ResourceRef,
  key: ObjectKey,
  part: "main" | "status" | "whole",
  change: (current: KubeObject) => KubeObject | undefined,
): Promise<KubeObject> {
  for (let attempt = 1; ; attempt++) {
    const current = await client.get(ref, key);
    const wanted = change(current);
    if (!wanted) return current;
    try {
      if (part === "whole") return await client.replace(ref, wanted);
      return await (part === "main" ? client.update(ref, wanted) : client.updateStatus(ref, wanted));
    } catch (error) {
      if (!hasReason(error, "Conflict") || attempt === maxAttempts) throw error;
    }
  }
}

import { apiVersionOf, isConflict, type KubeObject, type KubeResource, type ObjectKey } from "@keelson/kube";
import { failedRepairEvent, repairEvent } from "../operator/operator-events.ts";
import type { RotationDeps } from "./rotation-deps.ts";

type Operation = Parameters<typeof repairEvent>[0]["operation"];

/** Returns an API that reports an Event for every write, as in all other controllers. */
export function reportedWrites({ api, report, signal }: RotationDeps): RotationDeps["api"] {
  const reported = async <T>(
    operation: Operation,
    about: KubeObject,
    write: () => Promise<T>,
  ): Promise<T> => {
    try {
      const result = await write();
      report(repairEvent({ operation, fields: [] }, about));
      return result;
    } catch (error) {
      // A conflict is not reported, because the next reconcile resolves it.
      if (!isConflict(error) && !signal.aborted) report(failedRepairEvent({ operation }, about, error));
      throw error;
    }
  };
  return {
    create: (resource, object, signal) =>
      reported("created", object, () => api.create(resource, object, signal)),
    mergePatch: (resource, key, patch, signal, subresource) =>
      reported("updated", objectOf(resource, key), () =>
        api.mergePatch(resource, key, patch, signal, subresource),
      ),
    delete: (resource, key, signal, options) =>
      reported("deleted", objectOf(resource, key), () => api.delete(resource, key, signal, options)),
  };
}

function objectOf(resource: KubeResource, key: ObjectKey): KubeObject {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: key };
}

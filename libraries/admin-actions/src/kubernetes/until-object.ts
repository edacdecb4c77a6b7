import type { Clock } from "@keelson/base";
import type { KubeClient, KubeObject, KubeResource, Selection } from "@keelson/kube";
import { isExpired } from "@keelson/kube";
import { isTransient } from "./clean-up.ts";

/** Number of consecutive failures after which the last failure is thrown. */
const failureLimit = 10;
const pauseMs = 2_000;

/**
 * Waits until `accept` accepts one of the selected objects, and returns this object. Retries after temporary failures of the
 * cluster.
 * @throws KubeError after a permanent failure or repeated temporary failures; the signal's reason
 */
export async function untilObject(
  { kube, clock }: { readonly kube: Pick<KubeClient, "list" | "watch">; readonly clock: Clock },
  resource: KubeResource,
  selection: Selection,
  accept: (object: KubeObject) => boolean,
  signal: AbortSignal,
): Promise<KubeObject> {
  for (let failures = 0; ; ) {
    try {
      const { items, resourceVersion } = await kube.list(resource, selection, signal);
      const found = items.find(accept);
      if (found) return found;
      failures = 0;
      for await (const event of kube.watch(resource, { ...selection, resourceVersion }, signal)) {
        if ((event.type === "ADDED" || event.type === "MODIFIED") && accept(event.object))
          return event.object;
      }
    } catch (error) {
      failures++;
      if (signal.aborted || !(isTransient(error) || isExpired(error)) || failures >= failureLimit)
        throw error;
      await clock.sleep(pauseMs, signal);
    }
  }
}

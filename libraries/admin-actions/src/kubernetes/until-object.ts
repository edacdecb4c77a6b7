import type { Clock } from "@keelson/base";
import type { KubeClient, KubeObject, KubeResource, Selection } from "@keelson/kube";
import { isExpired } from "@keelson/kube";
import { isTransient } from "./clean-up.ts";

/** Failures one after another after which the wait is given up. */
const failureLimit = 10;
const pauseMs = 2_000;

/**
 * The first of the selected objects that `accept` takes, now or as soon as one changes so. A cluster that does not
 * answer for a moment is asked again.
 * @throws KubeError, or the signal's reason
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

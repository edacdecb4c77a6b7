import type { KubeObject } from "@keelson/apiserver";
import { messageOf } from "@keelson/base";
import { type SourceWatch, watchSource } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resourceOf } from "../../apis/served/resource-names.ts";
import type { ReleaseManifest } from "../../payload/release-manifest.ts";
import type { Cluster } from "../../runtime/cluster.ts";

/** Delay in milliseconds before a failed watch restarts, for example because its kind does not exist yet. */
const retryMs = 2_000;

/**
 * Watches each manifest's object individually. Informers for all roles and bindings would need more memory. The watches for a new
 * release start after the release is applied.
 */
export function watchManifests(key: ObjectKey): SourceWatch<Cluster> {
  return watchSource(async (add, cluster, signal) => {
    while (!signal.aborted) {
      const { promise: changed, resolve } = Promise.withResolvers<void>();
      const stopListening = cluster.payload.onApplied(resolve);
      const stop = new AbortController();
      const all = AbortSignal.any([signal, stop.signal]);
      signal.addEventListener("abort", () => resolve(), { once: true, signal: stop.signal });
      const { applied } = cluster.payload;
      const watches = applied.map((manifest) =>
        watchObject(cluster, { manifest, crds: applied.map(({ object }) => object) }, () => add(key), all),
      );
      await changed;
      stopListening();
      stop.abort();
      await Promise.all(watches);
    }
  });
}

async function watchObject(
  { client, clock, logger }: Cluster,
  { manifest, crds }: { readonly manifest: ReleaseManifest; readonly crds: readonly KubeObject[] },
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, name } = manifest.object.metadata;
  const selection = { namespace, fieldSelector: `metadata.name=${name}` };
  let before: string | undefined;
  while (!signal.aborted) {
    try {
      for await (const event of client.watch(resourceOf(manifest.object, crds), selection, signal)) {
        if (event.type === "BOOKMARK") continue;
        const now = event.type === "DELETED" ? "" : contentVersion(event.object);
        if (now !== before) changed();
        before = now;
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.debug({ file: manifest.file, error: messageOf(error) }, "a manifest's object is watched again");
    }
    await clock.sleep(retryMs, signal).catch(() => undefined);
  }
}

/**
 * Returns a string that changes when fields of a manifest may have changed. Status writes do not change the string. Objects
 * without a generation are an exception, because each write changes their string.
 */
function contentVersion({ metadata }: KubeObject): string {
  const { generation, resourceVersion, labels, annotations, ownerReferences } = metadata;
  return generation === undefined
    ? `${resourceVersion}`
    : JSON.stringify([generation, labels, annotations, ownerReferences]);
}

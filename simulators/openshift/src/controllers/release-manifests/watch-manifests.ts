import type { KubeObject } from "@keelson/apiserver";
import { messageOf } from "@keelson/base";
import { type SourceWatch, watchSource } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resourceOf } from "../../apis/served/resource-names.ts";
import type { ReleaseManifest } from "../../payload/release-manifest.ts";
import type { Cluster } from "../../runtime/cluster.ts";

/** Delay before a watch is restarted, for example because its kind is not served yet. */
const retryMs = 2_000;

/**
 * Watches the objects of manifests individually. Informers of all roles and bindings would cost more. A new
 * release is watched after it is applied.
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

/** Version of the fields that a manifest can set, limited to these if the kind has generations. */
function contentVersion({ metadata }: KubeObject): string {
  const { generation, resourceVersion, labels, annotations, ownerReferences } = metadata;
  return generation === undefined
    ? `${resourceVersion}`
    : JSON.stringify([generation, labels, annotations, ownerReferences]);
}

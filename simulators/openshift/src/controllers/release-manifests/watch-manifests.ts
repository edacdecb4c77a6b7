import type { KubeObject } from "@keelson/apiserver";
import { messageOf } from "@keelson/base";
import { type SourceWatch, watchSource } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { resourceOf } from "../../apis/served/resource-names.ts";
import type { ReleaseManifest } from "../../payload/release-manifest.ts";
import type { Cluster } from "../../runtime/cluster.ts";

/** Until a watch that ended is begun again: of a kind that is not served yet, for example. */
const retryMs = 2_000;

/**
 * The objects that manifests bring: each with a watch of its own, since an informer of all roles and bindings of a
 * cluster costs more than the few that matter. Those of another release are watched once it is applied.
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

/** Changes with what a manifest can set, and with no more than that where the kind counts generations. */
function contentVersion({ metadata }: KubeObject): string {
  const { generation, resourceVersion, labels, annotations, ownerReferences } = metadata;
  return generation === undefined
    ? `${resourceVersion}`
    : JSON.stringify([generation, labels, annotations, ownerReferences]);
}

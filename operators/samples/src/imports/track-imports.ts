import { messageOf } from "@keelson/base";
import { isConflict, type KubeObject } from "@keelson/kube";
import type { SamplesSettings } from "../config/samples-settings.ts";
import type { Catalogue } from "../content/load-catalogue.ts";
import type { SamplesRequest } from "../context/samples-request.ts";
import { configMaps, contentNamespace, imageStreamImports, imageStreams } from "../resources/resources.ts";
import { type FailingTags, failingTags } from "./failing-tags.ts";
import { failureConfigMap, isFailureConfigMap, isForeign } from "./failure-config-map.ts";
import { importRequest } from "./import-request.ts";

/** Maximum number of concurrent imports. An import request lasts until the registry has responded. */
const maxImports = 5;

/**
 * Reports the failing tags of each imagestream in a ConfigMap. Deletes obsolete ConfigMaps and repeats imports that are due.
 * Returns the sorted names of the failing imagestreams.
 */
export async function trackImports(
  request: SamplesRequest,
  catalogue: Catalogue,
  settings: SamplesSettings,
): Promise<readonly string[]> {
  const { cache, objects, namespace, retries } = request;
  const streams = cache.informer(imageStreams, { selection: { namespace: contentNamespace } });
  const maps = cache.informer(configMaps, { selection: { namespace } });
  const skipped = new Set(settings.skippedImagestreams);
  const failing = new Map<string, FailingTags>();
  for (const [name, sample] of catalogue.imageStreams) {
    const live = skipped.has(name) ? undefined : streams.get({ namespace: contentNamespace, name });
    const tags = live && failingTags(live, sample);
    if (tags && tags.size > 0) failing.set(name, tags);
  }
  for (const [name, tags] of failing) {
    const live = maps.get({ namespace, name });
    if (!isForeign(live)) await objects.ensure(configMaps, failureConfigMap(name, namespace, tags, live));
  }
  await forgetFailures(request, new Set(failing.keys()));
  retries.keepOnly(new Set(failing.keys()));
  const due = [...failing.keys()].filter((name) => retries.isDue(name)).values();
  const importInTurn = async () => {
    for (const name of due) {
      const stream = streams.get({ namespace: contentNamespace, name });
      if (stream) await importAgain(request, stream, failing.get(name) ?? new Map());
    }
  };
  await Promise.all(Array.from({ length: maxImports }, importInTurn));
  return [...failing.keys()].sort();
}

/** Deletes the ConfigMaps of all imagestreams that are not in the given list. */
export async function forgetFailures(
  { cache, objects, namespace }: SamplesRequest,
  failing: ReadonlySet<string>,
): Promise<void> {
  for (const configMap of cache.informer(configMaps, { selection: { namespace } }).list())
    if (isFailureConfigMap(configMap) && !failing.has(configMap.metadata.name))
      await objects.remove(configMaps, { namespace, name: configMap.metadata.name });
}

/**
 * Repeats an import, because the API server does not retry automatically. If the API server rejects the import, the next attempt
 * follows at the next scheduled time.
 */
async function importAgain(
  { api, retries, metrics, logger, signal }: SamplesRequest,
  stream: KubeObject,
  tags: FailingTags,
): Promise<void> {
  const { name } = stream.metadata;
  const body = importRequest(stream, tags.keys());
  retries.tried(name);
  if (!body) return;
  try {
    await api.create(imageStreamImports, body, signal);
    metrics.retried(name, tags.size);
  } catch (error) {
    signal.throwIfAborted();
    if (isConflict(error)) retries.forget(name);
    logger.warn({ imagestream: name, error: messageOf(error) }, "the imagestream was not imported again");
  }
}

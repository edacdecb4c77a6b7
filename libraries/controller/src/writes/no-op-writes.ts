import type { Logger, Metrics } from "@keelson/base";
import type { Cache } from "../cache/cache.ts";
import { keyText } from "../objects/object-key.ts";
import type { WriteHook } from "./write-hooks.ts";

/**
 * Counts writes that change nothing. After such a write, the server returns the revision that is already in the cache. The usual
 * cause is a controller that compares objects incompletely. Such a controller would repeat the same write forever.
 */
export function countNoOpWrites(cache: Cache, metrics: Metrics, logger: Logger): WriteHook {
  const labels = ["verb", "kind"] as const;
  const writes = metrics.counter({
    name: "keelson_controller_writes_total",
    help: "Writes to the Kubernetes API",
    labels,
  });
  const noOps = metrics.counter({
    name: "keelson_controller_noop_writes_total",
    help: "Writes to the Kubernetes API that changed nothing",
    labels,
  });
  return async ({ verb, resource, key }, send) => {
    const facts = { verb, kind: resource.kind };
    const revision = cache.find(resource, key)?.metadata.resourceVersion;
    const result = await send();
    writes.inc(facts);
    if (revision !== undefined && result?.metadata.resourceVersion === revision) {
      noOps.inc(facts);
      logger.debug({ ...facts, key: keyText(key) }, "a write changed nothing");
    }
    return result;
  };
}

/** Adds written objects to the cache. Controllers then never read a state older than their own writes. */
export function seeOwnWrites(cache: Cache): WriteHook {
  return async ({ resource }, send) => {
    const result = await send();
    if (result) cache.written(resource, result);
    return result;
  };
}

import type { KubeApi, KubeObject, KubeResource, ObjectKey } from "@keelson/kube";
import { keyOf } from "../objects/object-key.ts";

/** Write request that has not been sent yet. */
export interface Write {
  readonly verb: "create" | "replace" | "replaceStatus" | "mergePatch" | "jsonPatch" | "apply" | "delete";
  readonly resource: KubeResource;
  readonly key: ObjectKey;
}

/**
 * Function that wraps a write. `send` performs the write and returns the server's response, which is undefined for a deletion.
 * The function must return this response.
 */
export type WriteHook = (
  write: Write,
  send: () => Promise<KubeObject | undefined>,
) => Promise<KubeObject | undefined>;

/** Returns an API that calls the hooks around every write of `api`. The first hook is the outermost. */
export function withWriteHooks(api: KubeApi, hooks: readonly WriteHook[]): KubeApi {
  async function hooked<T extends KubeObject | undefined>(write: Write, send: () => Promise<T>): Promise<T> {
    const chain = hooks.reduceRight<() => Promise<KubeObject | undefined>>(
      (next, hook) => () => hook(write, next),
      send,
    );
    // The cast is safe, because hooks return the result of `send`.
    return (await chain()) as T;
  }
  return {
    get: (resource, key, signal, fields) => api.get(resource, key, signal, fields),
    find: (resource, key, signal, fields) => api.find(resource, key, signal, fields),
    list: (resource, selection, signal) => api.list(resource, selection, signal),
    // A dry run writes nothing, and its result is not cached. The hooks are therefore not called.
    dryRunApply: (resource, object, signal, options) => api.dryRunApply(resource, object, signal, options),
    watch: (resource, options, signal) => api.watch(resource, options, signal),
    create: (resource, object, signal) =>
      hooked({ verb: "create", resource, key: keyOf(object) }, () => api.create(resource, object, signal)),
    replace: (resource, object, signal) =>
      hooked({ verb: "replace", resource, key: keyOf(object) }, () => api.replace(resource, object, signal)),
    replaceStatus: (resource, object, signal) =>
      hooked({ verb: "replaceStatus", resource, key: keyOf(object) }, () =>
        api.replaceStatus(resource, object, signal),
      ),
    mergePatch: (resource, key, patch, signal, subresource) =>
      hooked({ verb: "mergePatch", resource, key }, () =>
        api.mergePatch(resource, key, patch, signal, subresource),
      ),
    jsonPatch: (resource, key, steps, signal, subresource) =>
      hooked({ verb: "jsonPatch", resource, key }, () =>
        api.jsonPatch(resource, key, steps, signal, subresource),
      ),
    apply: (resource, object, signal, options) =>
      hooked({ verb: "apply", resource, key: keyOf(object) }, () =>
        api.apply(resource, object, signal, options),
      ),
    async delete(resource, key, signal, options) {
      await hooked({ verb: "delete", resource, key }, async () => {
        await api.delete(resource, key, signal, options);
        return undefined;
      });
    },
  };
}

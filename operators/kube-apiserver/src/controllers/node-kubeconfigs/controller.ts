import { messageOf } from "@keelson/base";
import { done, named, watchFor } from "@keelson/controller";
import { isConflict, type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import { ensureData, operatorKey, type WantedObject } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";
import { nodeKubeconfigs } from "./kubeconfigs.ts";

const degraded = {
  type: "NodeKubeconfigControllerDegraded",
  failed: "SyncError",
  fine: "AsExpected",
} as const;
const client = { namespace: namespaces.operator, name: "node-system-admin-client" };
const serving = { namespace: namespaces.target, name: "kube-apiserver-server-ca" };
const kubeconfigs = { namespace: namespaces.target, name: "node-kubeconfigs" };

/** Maintains the administrator kubeconfigs on the masters. */
export const nodeKubeconfig = kubeApiServerController({
  name: "NodeKubeconfigController",
  degraded,
  watches: [
    objectWatch(resources.secrets, client),
    objectWatch(resources.configMaps, serving),
    objectWatch(resources.secrets, kubeconfigs),
    ...inputWatches([clusterInput(resources.infrastructures)]),
  ],
  resyncMs: 300_000,
  async reconcile({ parts: { cache }, objects, signal }) {
    const failure = (error: unknown) => `"secret/node-kubeconfigs": ${messageOf(error)}`;
    let wanted: WantedObject & { readonly data: Readonly<Record<string, string>> };
    try {
      wanted = nodeKubeconfigs({
        client: cache.known(resources.secrets, client)?.object,
        serving: cache.known(resources.configMaps, serving)?.object,
        infrastructure: cache.known(resources.infrastructures, singleton)?.object,
      });
    } catch (error) {
      // A retry cannot fix this error. Only a change of a watched object can.
      const { type, failed: reason } = degraded;
      return { conditions: [{ type, status: "True", reason, message: failure(error) }] };
    }
    try {
      await ensureData(objects, resources.secrets, wanted);
    } catch (error) {
      if (signal.aborted || isConflict(error)) throw error;
      throw new Error(failure(error), { cause: error });
    }
    return done;
  },
});

/** Watches one object through the namespace's informer, which other controllers share. */
function objectWatch(resource: KubeResource, { namespace, name }: Required<ObjectKey>) {
  return watchFor(resource, operatorKey, { selection: { namespace }, where: named(name) });
}

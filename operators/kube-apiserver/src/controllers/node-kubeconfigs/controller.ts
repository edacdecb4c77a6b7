import { messageOf } from "@keelson/base";
import { done } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { ensureData } from "@keelson/operator-kit";
import { namespaces } from "../../namespaces.ts";
import { clusterInput, singleton } from "../../observers/inputs.ts";
import { inputWatches, kubeApiServerController } from "../../operator-context.ts";
import { nodeKubeconfigs } from "./kubeconfigs.ts";

/** Keeps the kubeconfigs of the masters' own administrator. */
export const nodeKubeconfig = kubeApiServerController({
  name: "NodeKubeconfigController",
  degraded: { type: "NodeKubeconfigControllerDegraded", failed: "SyncError", fine: "AsExpected" },
  watches: inputWatches([
    { resource: resources.secrets, selection: { namespace: namespaces.operator } },
    { resource: resources.secrets, selection: { namespace: namespaces.target } },
    { resource: resources.configMaps, selection: { namespace: namespaces.target } },
    clusterInput(resources.infrastructures),
  ]),
  resyncMs: 300_000,
  async reconcile({ parts: { cache }, objects, signal }) {
    const { operator, target } = namespaces;
    try {
      const wanted = nodeKubeconfigs({
        client: cache.known(resources.secrets, { namespace: operator, name: "node-system-admin-client" })
          ?.object,
        serving: cache.known(resources.configMaps, { namespace: target, name: "kube-apiserver-server-ca" })
          ?.object,
        infrastructure: cache.known(resources.infrastructures, singleton)?.object,
      });
      await ensureData(objects, resources.secrets, wanted);
    } catch (error) {
      if (signal.aborted) throw error;
      throw new Error(`"secret/node-kubeconfigs": ${messageOf(error)}`, { cause: error });
    }
    return done;
  },
});

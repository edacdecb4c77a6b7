import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { type Controller, keyOf } from "../../runtime/controller.ts";
import { resources } from "../../runtime/resources.ts";
import { reconcileDaemon } from "./reconcile.ts";

/** The machine config daemon of every node: brings the node to the configuration that it is told. */
export const machineConfigDaemon: Controller = {
  name: "machine-config-daemon",
  watches: [
    { on: "objects", resource: resources.nodes, keys: (node) => [keyOf(node)] },
    // Nodes that were there before their pool had a configuration take it up when it has.
    { on: "objects", resource: resources.machineConfigPools, keys: nodesWithoutConfig },
    {
      on: "faults",
      keys: async (fault, { client }) =>
        fault?.kind === "config-error" || fault?.kind === "drain-error"
          ? (await client.list(resources.nodes)).items.map(keyOf)
          : [],
    },
  ],
  reconcile: reconcileDaemon,
};

async function nodesWithoutConfig(_pool: KubeObject, { client }: Cluster): Promise<readonly string[]> {
  const nodes = (await client.list(resources.nodes)).items;
  return nodes.filter((node) => nodeHasNoConfig(node)).map(keyOf);
}

function nodeHasNoConfig({ metadata }: KubeObject): boolean {
  return !metadata.annotations?.["machineconfiguration.openshift.io/currentConfig"];
}

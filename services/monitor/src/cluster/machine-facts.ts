import { valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";

/** Properties of a machine for metrics. */
export interface MachineFacts {
  readonly isSpot: boolean;
  readonly role: string;
  readonly machineSet: string;
}

const nothing: MachineFacts = { isSpot: false, role: "", machineSet: "" };

export function machineFacts({
  spec,
  metadata: { labels = {} },
}: KubeObject & { readonly spec?: unknown }): MachineFacts {
  return {
    isSpot: (valueAt(spec, "providerSpec", "value", "spotVMOptions") ?? null) !== null,
    role: labels["machine.openshift.io/cluster-api-machine-role"] ?? "",
    machineSet: labels["machine.openshift.io/cluster-api-machineset"] ?? "",
  };
}

/** Returns a function that finds the machine properties of a node. An annotation of the node contains the name of its machine. */
export function factsOfNodes(machines: readonly KubeObject[]): (node: KubeObject) => MachineFacts {
  const known = new Map(
    machines.map((machine) => [
      `${machine.metadata.namespace}/${machine.metadata.name}`,
      machineFacts(machine),
    ]),
  );
  return (node) => known.get(node.metadata.annotations?.["machine.openshift.io/machine"] ?? "") ?? nothing;
}

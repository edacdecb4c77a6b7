import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import type { Fault } from "../faults/fault.ts";
import type { VirtualMachine } from "../hypervisor/virtual-machine.ts";
import type { Cluster } from "./cluster.ts";
import type { Outcome } from "./work-queue.ts";

/** What makes a controller look again, and at which keys. Deleted objects and machines are reported too. */
export type Watch =
  | {
      readonly on: "objects";
      readonly resource: ResourceRef;
      readonly keys: (object: KubeObject, cluster: Cluster) => readonly string[] | Promise<readonly string[]>;
    }
  | {
      readonly on: "virtualMachines";
      readonly keys: (machine: VirtualMachine) => readonly string[];
    }
  | {
      /** Faults that begin or end, also the offers of updates changing. */
      readonly on: "faults";
      readonly keys: (
        fault: Fault | undefined,
        cluster: Cluster,
      ) => readonly string[] | Promise<readonly string[]>;
    };

/**
 * A level-triggered controller: `reconcile` reads the present state of its key and moves it one step towards
 * the wanted one. It never relies on having seen an event, so a restart at any line is harmless.
 */
export interface Controller {
  readonly name: string;
  /** Keys reconciled when the cluster starts, for subjects that need no object to begin with. */
  readonly initialKeys?: readonly string[];
  readonly watches: readonly Watch[];
  reconcile(key: string, cluster: Cluster, signal: AbortSignal): Promise<Outcome>;
}

/** The key may rest until something it watches changes. */
export const settled: Outcome = {};

/** `namespace/name`, or the name alone for cluster-scoped objects. */
export function keyOf(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function parseKey(key: string): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

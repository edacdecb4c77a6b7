import { isDeepStrictEqual } from "node:util";
import { parseResourceId, resourceKey } from "@keelson/arm";
import { type AroCluster, singleton } from "@keelson/aro-api";
import { stringAt, valueAt } from "@keelson/base";
import {
  annotationsChanged,
  anyOf,
  type Cache,
  generationChanged,
  labelsChanged,
  metadataOnly,
  type Predicate,
  type Watch,
  watchFor,
} from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { isResourceName } from "./resource-ids.ts";

export interface ClusterSubnet {
  readonly id: string;
  /** Role of the machines in the subnet. A subnet with masters and workers has the role `worker`. */
  readonly role: "master" | "worker";
}

export interface ClusterSubnets {
  readonly subnets: readonly ClusterSubnet[];
  /** Problems of the machines, one line each. Each MachineSet or Machine without a readable subnet has one line. */
  readonly faults: readonly string[];
}

const role = "machine.openshift.io/cluster-api-machine-role";
const namespace = "openshift-machine-api";

/** Reduces a MachineSet or Machine to the fields that refer to Azure resources. */
function namesInAzure(machine: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = metadataOnly(machine);
  const diskEncryptionSet = { id: diskEncryptionSetOf(machine) };
  const spec = {
    providerSpec: { value: { ...networkOf(machine), osDisk: { managedDisk: { diskEncryptionSet } } } },
  };
  return { apiVersion, kind, metadata, spec: kind === "MachineSet" ? { template: { spec } } : spec };
}

/** Returns the ID of the disk encryption set of the machine's disk. Undefined if the disk has none. */
export function diskEncryptionSetOf(machine: KubeObject): string | undefined {
  return stringAt(
    specOf(machine),
    "providerSpec",
    "value",
    "osDisk",
    "managedDisk",
    "diskEncryptionSet",
    "id",
  );
}

const workers = { selection: { namespace, labelSelector: `${role}!=master` }, strip: namesInAzure };
const masters = { selection: { namespace, labelSelector: `${role}=master` }, strip: namesInAzure };
/** Machine status changes are frequent and do not affect subnets, so they are ignored. */
const touched = { where: anyOf(generationChanged, labelsChanged, annotationsChanged) };

/** Reconciles the controller's single key when machines change or use different subnets. */
export const subnetWatches: readonly Watch<unknown>[] = machineWatches(touched);

/** Reconciles the controller's single key only when a machine refers to different Azure resources. */
export const namesInAzureWatches: readonly Watch<unknown>[] = machineWatches({
  where: ({ type, object, before }) => type !== "updated" || !isDeepStrictEqual(object.spec, before.spec),
});

function machineWatches(options: { readonly where: Predicate }): readonly Watch<unknown>[] {
  return [
    watchFor(resources.machineSets, singleton, { ...workers, ...options }),
    watchFor(resources.machines, singleton, { ...masters, ...options }),
  ];
}

export const subnetPermissions = [
  {
    namespace,
    apiGroups: ["machine.openshift.io"],
    resources: ["machines", "machinesets"],
    verbs: ["get", "list", "watch"],
  },
];

/** Returns the workers' MachineSets and the masters' Machines from the cache. */
export function machinesIn(cache: Cache): { readonly sets: KubeObject[]; readonly masters: KubeObject[] } {
  const byName = (a: KubeObject, b: KubeObject) => (a.metadata.name < b.metadata.name ? -1 : 1);
  return {
    sets: [...cache.informer(resources.machineSets, workers).list()].sort(byName),
    masters: [...cache.informer(resources.machines, masters).list()].sort(byName),
  };
}

/** Maximum number of subnets. The limit bounds the requests to Azure. Real clusters have fewer subnets. */
const maxSubnets = 100;

/** Returns the distinct subnets of the cluster's machines. Worker subnets come first. */
export function clusterSubnets({ spec = {} }: AroCluster, cache: Cache): ClusterSubnets {
  const { sets, masters } = machinesIn(cache);
  const subscriptionId = parseResourceId(spec.resourceId ?? "")?.subscriptionId ?? "";
  const subnets = new Map<string, ClusterSubnet>();
  const faults: string[] = [];
  for (const machine of [...sets, ...masters]) {
    const id = subnetIdOf(machine, subscriptionId, spec.vnetId);
    const role = machine.kind === "MachineSet" ? "worker" : "master";
    if (id === undefined) faults.push(`${describe(machine)}: provider spec names no subnet`);
    else if (subnets.size < maxSubnets || role === "master")
      subnets.set(resourceKey(id), subnets.get(resourceKey(id)) ?? { id, role });
    else if (!subnets.has(resourceKey(id)))
      faults.push(`${describe(machine)}: its subnet is beyond the first ${maxSubnets}, which are kept`);
  }
  return { subnets: [...subnets.values()], faults };
}

function subnetIdOf(machine: KubeObject, subscriptionId: string, vnetId = ""): string | undefined {
  const { vnet = "", subnet = "", networkResourceGroup } = networkOf(machine);
  const group = networkResourceGroup || (missingGroup(machine, vnetId) ?? "");
  if (![subscriptionId, group, vnet, subnet].every(isResourceName)) return undefined;
  return `/subscriptions/${subscriptionId}/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/${vnet}/subnets/${subnet}`;
}

/**
 * Returns the resource group of the cluster's network for a machine in this network. Undefined if the machine's provider spec
 * already names a network resource group. Without the group, the machine API searches for the network in the machines' resource
 * group and fails.
 */
export function missingGroup(machine: KubeObject, vnetId = ""): string | undefined {
  const network = parseResourceId(vnetId);
  const { vnet, networkResourceGroup } = networkOf(machine);
  if (!network || !vnet || networkResourceGroup) return undefined;
  return network.path.at(-1)?.[1].toLowerCase() === vnet.toLowerCase() ? network.resourceGroup : undefined;
}

function networkOf(machine: KubeObject) {
  const text = (name: string) => stringAt(specOf(machine), "providerSpec", "value", name);
  return { vnet: text("vnet"), subnet: text("subnet"), networkResourceGroup: text("networkResourceGroup") };
}

function specOf(machine: KubeObject): unknown {
  return machine.kind === "MachineSet" ? valueAt(machine, "spec", "template", "spec") : machine.spec;
}

function describe({ kind, metadata }: KubeObject): string {
  return `${kind.toLowerCase()} ${metadata.name}`;
}

import { listAt, messageOf, stringAt, stringsAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ObservedObjects } from "@keelson/operator-kit";
import { parse } from "yaml";
import { namespaces } from "../config/namespaces.ts";
import { clusterInput, objectInput } from "./inputs.ts";

export const networkInput = clusterInput(resources.configNetworks);
const clusterConfig = { namespace: namespaces.kubeSystem, name: "cluster-config-v1" };
/**
 * Input for the installer's configuration. Clusters that were installed before February 2019 have this configuration instead of a
 * Network.
 */
export const clusterConfigInput = objectInput(resources.configMaps, clusterConfig);

const subject = "networks.config.openshift.io/cluster";

/**
 * Returns the networks in the status. The networks in the spec may not be in use yet.
 * @throws Error that names a missing field
 */
export function networksInUse(network: unknown): { cluster: readonly string[]; service: readonly string[] } {
  return { cluster: clusterNetworks(network), service: serviceNetworks(network) };
}

function clusterNetworks(network: unknown): readonly string[] {
  const entries = listAt(network, "status", "clusterNetwork");
  if (entries.length === 0) throw new Error(`${subject}: status.clusterNetwork not found`);
  return entries.map((entry, index) => {
    const cidr = stringAt(entry, "cidr");
    if (!cidr) throw new Error(`${subject}: status.clusterNetwork[${index}].cidr not found`);
    return cidr;
  });
}

/**
 * Returns the service networks in the status.
 * @throws Error if the status contains none
 */
export function serviceNetworks(network: unknown): readonly string[] {
  const networks = stringsAt(network, "status", "serviceNetwork");
  if (!networks[0]) throw new Error(`${subject}: status.serviceNetwork not found`);
  return networks;
}

export interface InstallNetworks {
  readonly pod: string;
  readonly service: string;
}

/**
 * Returns the networks in the installer's configuration. `undefined` if the configuration does not have the format of old
 * clusters.
 * @throws Error that names a missing field
 */
export function installNetworks(objects: ObservedObjects): InstallNetworks | undefined {
  const configMap = objects.find(resources.configMaps, clusterConfig);
  if (!configMap) return undefined;
  const at = "configmap/cluster-config-v1.kube-system: install-config";
  const text = stringAt(configMap, "data", "install-config");
  if (text === undefined) throw new Error(`${at} not found`);
  const networking = valueAt(parsed(text, at), "networking");
  const [pod, service] = [stringAt(networking, "podCIDR"), stringAt(networking, "serviceCIDR")];
  if (!pod && !service) return undefined;
  if (!pod) throw new Error(`${at}/networking/podCIDR not found`);
  if (!service) throw new Error(`${at}/networking/serviceCIDR not found`);
  return { pod, service };
}

function parsed(text: string, at: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new Error(`${at} is not valid YAML: ${messageOf(error).split("\n")[0]}`, { cause: error });
  }
}

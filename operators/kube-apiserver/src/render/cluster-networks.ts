import { isPlainObject, stringAt, valueAt } from "@keelson/base";

export interface ClusterNetworks {
  readonly cluster: readonly string[];
  readonly service: readonly string[];
}

/**
 * Returns the CIDRs of a Network (config.openshift.io) or of a Cluster (legacy cluster API).
 * @throws Error with the path of a field of the wrong type
 */
export function clusterNetworks(object: unknown): ClusterNetworks {
  const clusterNetwork = valueAt(object, "spec", "clusterNetwork");
  if (isPlainObject(clusterNetwork))
    return {
      cluster: texts(clusterNetwork, "pods", "cidrBlocks"),
      service: texts(clusterNetwork, "services", "cidrBlocks"),
    };
  if (clusterNetwork !== undefined && !Array.isArray(clusterNetwork))
    throw new Error("spec.clusterNetwork must be a list of {cidr, hostPrefix}");
  return {
    cluster: (clusterNetwork ?? []).flatMap((each: unknown) => stringAt(each, "cidr") ?? []),
    service: texts(object, "spec", "serviceNetwork"),
  };
}

function texts(object: unknown, ...path: readonly string[]): readonly string[] {
  const value = valueAt(object, ...path);
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string"))
    throw new Error(`${path.join(".")} must be a list of CIDRs`);
  return value;
}

import type { KubeObject } from "@keelson/apiserver";
import { isPlainObject, listAt, numberAt, stringAt, valueAt } from "@keelson/base";

/** Azure resources of the cluster. Subscription and tenant are IDs, all other properties are names. */
export interface PlatformSettings {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  /** Name of the managed resource group. */
  readonly resourceGroup: string;
  readonly networkResourceGroup: string;
  readonly virtualNetwork: string;
  readonly controlPlaneSubnet: string;
  readonly computeSubnet: string;
  readonly networkSecurityGroup: string;
  readonly publicLoadBalancer?: string;
  readonly internalLoadBalancer: string;
  /** Name of the image registry's storage account. */
  readonly registryStorageAccount?: string;
}

/** Persistent settings of a cluster that are not part of its objects. They contain no secrets. */
export interface ClusterSettings {
  readonly version: 1;
  readonly infraId: string;
  readonly clusterId: string;
  /** Cluster domain, for example `demo.eastus.keelson.localhost`. */
  readonly domain: string;
  readonly openShiftVersion: string;
  /** Kubernetes version without a leading `v`. */
  readonly kubernetesVersion: string;
  readonly clientCertificateAuthorities: readonly string[];
  /** Lines of the `authorized_keys` file for the user `core`. */
  readonly sshAuthorizedKeys: readonly string[];
  readonly platform: PlatformSettings;
  readonly controlPlane: {
    readonly replicas: number;
    readonly vmSize: string;
    /**
     * Availability zones of the masters in name order. If there are more masters than zones, the list is repeated. Unset in
     * regions without zones.
     */
    readonly zones?: readonly string[];
  };
}

/** Parses stored settings. @throws TypeError with the name of the invalid property */
export function parseSettings(value: unknown): ClusterSettings {
  if (numberAt(value, "version") !== 1) throw new TypeError("the settings' version must be 1");
  const openShiftVersion = text(value, "openShiftVersion");
  const platform = valueAt(value, "platform");
  const optional = (member: string) => {
    const found = stringAt(platform, member);
    return found === undefined ? {} : { [member]: found };
  };
  return {
    version: 1,
    infraId: text(value, "infraId"),
    clusterId: text(value, "clusterId"),
    domain: text(value, "domain"),
    openShiftVersion,
    kubernetesVersion: stringAt(value, "kubernetesVersion") ?? kubernetesVersionOf(openShiftVersion),
    clientCertificateAuthorities: listAt(value, "clientCertificateAuthorities").filter(
      (pem) => typeof pem === "string",
    ),
    sshAuthorizedKeys: listAt(value, "sshAuthorizedKeys").filter((key) => typeof key === "string"),
    platform: {
      subscriptionId: text(platform, "subscriptionId"),
      tenantId: text(platform, "tenantId"),
      location: text(platform, "location"),
      resourceGroup: text(platform, "resourceGroup"),
      networkResourceGroup: text(platform, "networkResourceGroup"),
      virtualNetwork: text(platform, "virtualNetwork"),
      controlPlaneSubnet: text(platform, "controlPlaneSubnet"),
      computeSubnet: text(platform, "computeSubnet"),
      networkSecurityGroup: text(platform, "networkSecurityGroup"),
      internalLoadBalancer: text(platform, "internalLoadBalancer"),
      ...optional("publicLoadBalancer"),
      ...optional("registryStorageAccount"),
    },
    controlPlane: {
      replicas: numberAt(value, "controlPlane", "replicas") ?? 3,
      vmSize: text(value, "controlPlane", "vmSize"),
      zones: listAt(value, "controlPlane", "zones").filter((zone) => typeof zone === "string"),
    },
  };
}

/**
 * Returns the Kubernetes version of an OpenShift version. OpenShift 4.n contains Kubernetes 1.(n+13). OpenShift 5.0 contains the
 * same version as 4.23. The patch number is arbitrary.
 */
export function kubernetesVersionOf(openShiftVersion: string): string {
  const [, major, minor] = /^([45])\.(\d+)\./.exec(openShiftVersion) ?? [];
  if (minor === undefined)
    throw new TypeError(`openShiftVersion ${openShiftVersion} is not of the form 4.x.y or 5.x.y`);
  return `1.${Number(minor) + (major === "4" ? 13 : 36)}.9`;
}

/** Validates the Kubernetes object in the file `path`. @throws TypeError with the name of the invalid field */
export function objectOf(value: unknown, path: string): KubeObject {
  const { name, namespace, ...metadata } = recordOf(valueAt(value, "metadata"), `${path}: metadata`);
  const field = (member: string) => {
    const found = stringAt(value, member);
    if (!found) throw new TypeError(`${path}: ${member} must be a string`);
    return found;
  };
  if (typeof name !== "string") throw new TypeError(`${path}: metadata.name must be a string`);
  return {
    ...recordOf(value, path),
    apiVersion: field("apiVersion"),
    kind: field("kind"),
    metadata: { ...metadata, name, ...(typeof namespace === "string" ? { namespace } : {}) },
  };
}

function recordOf(value: unknown, where: string): Record<string, unknown> {
  if (!isPlainObject(value)) throw new TypeError(`${where} must be an object`);
  return value;
}

function text(value: unknown, ...members: readonly string[]): string {
  const found = stringAt(value, ...members);
  if (found === undefined || found === "")
    throw new TypeError(`the settings' ${members.join(".")} must be a string`);
  return found;
}

import type { KubeObject } from "@keelson/apiserver";
import { isPlainObject, messageOf, Secret } from "@keelson/base";
import { errors } from "../base/errors.ts";
import { at, listAt, numberAt, textAt } from "../base/fields.ts";
import { fileOfIgnition } from "./ignition.ts";

/** Where the cluster lives in Azure. Names, not resource IDs, but for the subscription and tenant. */
export interface PlatformSettings {
  readonly armEndpoint: string;
  readonly loginEndpoint: string;
  readonly audience: string;
  readonly caPem?: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly location: string;
  /** The managed resource group. */
  readonly resourceGroup: string;
  readonly networkResourceGroup: string;
  readonly virtualNetwork: string;
  readonly controlPlaneSubnet: string;
  readonly computeSubnet: string;
  readonly networkSecurityGroup: string;
  readonly publicLoadBalancer?: string;
  readonly internalLoadBalancer: string;
  /** Where the image registry keeps its images. */
  readonly registryStorageAccount?: string;
}

/** The lasting facts of a cluster: what its controllers know of it apart from its objects. No secret. */
export interface ClusterSettings {
  readonly version: 1;
  readonly infraId: string;
  readonly clusterId: string;
  /** For example `demo.eastus.keelson.localhost`. */
  readonly domain: string;
  readonly openShiftVersion: string;
  /** Without a leading `v`. */
  readonly kubernetesVersion: string;
  readonly clientCertificateAuthorities: readonly string[];
  /** Lines of `authorized_keys` of the machines' user `core`. */
  readonly sshAuthorizedKeys: readonly string[];
  readonly platform: PlatformSettings;
  readonly controlPlane: {
    readonly replicas: number;
    readonly vmSize: string;
    /** Of the masters in the order of their names, over and over; none in regions without zones. */
    readonly zones?: readonly string[];
  };
}

/** The file `/opt/openshift/cluster.json` in the bootstrap machine's ignition. */
export interface BootConfiguration {
  readonly settings: ClusterSettings;
  /** Absent when the cluster's operators have managed identities. */
  readonly servicePrincipal?: { readonly clientId: string; readonly clientSecret: Secret };
  /** Who signs the tokens of service accounts, where that is known outside of the cluster. */
  readonly serviceAccounts?: { readonly issuer: string; readonly signingKey: Secret };
  /** In the order in which they are created. */
  readonly manifests: readonly KubeObject[];
}

const path = "/opt/openshift/cluster.json";
/** Where `openshift-install` puts the key: PEM. */
const signingKeyPath = "/opt/openshift/tls/bound-service-account-signing-key.key";

/**
 * Reads the boot configuration of the bootstrap machine of cluster `infraId`.
 * @throws InvalidBootConfiguration
 */
export function parseBootConfiguration(
  customData: string | undefined,
  infraId: string | undefined,
): BootConfiguration {
  try {
    const file = customData === undefined ? undefined : fileOfIgnition(customData, path);
    if (file === undefined) throw new TypeError(`the ignition holds no ${path}`);
    const value: unknown = JSON.parse(file);
    const settings = parseSettings(value);
    if (settings.infraId !== infraId)
      throw new TypeError(`cluster.json: infraId is ${settings.infraId}, the machine's tag says ${infraId}`);
    const manifests = listAt(value, "manifests").map(parseManifest);
    const signingKey = customData === undefined ? undefined : fileOfIgnition(customData, signingKeyPath);
    return {
      settings,
      ...(signingKey === undefined
        ? { servicePrincipal: parseServicePrincipal(value) }
        : { serviceAccounts: { issuer: issuerIn(manifests), signingKey: new Secret(signingKey) } }),
      manifests,
    };
  } catch (cause) {
    throw errors.InvalidBootConfiguration(`The bootstrap machine cannot start: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function parseServicePrincipal(value: unknown) {
  return {
    clientId: text(value, "servicePrincipal", "clientId"),
    clientSecret: new Secret(text(value, "servicePrincipal", "clientSecret")),
  };
}

/** What the Authentication `cluster` says of it, as in any OpenShift. */
function issuerIn(manifests: readonly KubeObject[]): string {
  const issuer = textAt(
    manifests.find(({ kind, metadata }) => kind === "Authentication" && metadata.name === "cluster"),
    "spec",
    "serviceAccountIssuer",
  );
  if (!issuer) throw new TypeError("a signing key needs an Authentication with spec.serviceAccountIssuer");
  return issuer;
}

/** The settings as stored in the cluster, or as in `cluster.json`. Throws a TypeError that names the member. */
export function parseSettings(value: unknown): ClusterSettings {
  if (numberAt(value, "version") !== 1) throw new TypeError("cluster.json: version must be 1");
  const openShiftVersion = text(value, "openShiftVersion");
  const platform = at(value, "platform");
  const optional = (member: string) => {
    const found = textAt(platform, member);
    return found === undefined ? {} : { [member]: found };
  };
  return {
    version: 1,
    infraId: text(value, "infraId"),
    clusterId: text(value, "clusterId"),
    domain: text(value, "domain"),
    openShiftVersion,
    kubernetesVersion: textAt(value, "kubernetesVersion") ?? kubernetesVersionOf(openShiftVersion),
    clientCertificateAuthorities: listAt(value, "clientCertificateAuthorities").filter(
      (pem) => typeof pem === "string",
    ),
    sshAuthorizedKeys: listAt(value, "sshAuthorizedKeys").filter((key) => typeof key === "string"),
    platform: {
      armEndpoint: text(platform, "armEndpoint"),
      loginEndpoint: text(platform, "loginEndpoint"),
      audience: text(platform, "audience"),
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
      ...optional("caPem"),
      ...optional("registryStorageAccount"),
    },
    controlPlane: {
      replicas: numberAt(value, "controlPlane", "replicas") ?? 3,
      vmSize: text(value, "controlPlane", "vmSize"),
      zones: listAt(value, "controlPlane", "zones").filter((zone) => typeof zone === "string"),
    },
  };
}

/** OpenShift 4.n carries Kubernetes 1.(n+13), and 5.0 what 4.23 does. The patch number is the simulation's choice. */
export function kubernetesVersionOf(openShiftVersion: string): string {
  const [, major, minor] = /^([45])\.(\d+)\./.exec(openShiftVersion) ?? [];
  if (minor === undefined)
    throw new TypeError(`openShiftVersion ${openShiftVersion} is not of the form 4.x.y or 5.x.y`);
  return `1.${Number(minor) + (major === "4" ? 13 : 36)}.9`;
}

function parseManifest(value: unknown, index: number): KubeObject {
  const { name, namespace, ...metadata } = recordOf(at(value, "metadata"), `manifests[${index}].metadata`);
  if (typeof name !== "string") throw new TypeError(`manifests[${index}].metadata.name must be a text`);
  return {
    ...recordOf(value, `manifests[${index}]`),
    apiVersion: text(value, "apiVersion"),
    kind: text(value, "kind"),
    metadata: { ...metadata, name, ...(typeof namespace === "string" ? { namespace } : {}) },
  };
}

function recordOf(value: unknown, where: string): Record<string, unknown> {
  if (!isPlainObject(value)) throw new TypeError(`${where} must be an object`);
  return value;
}

function text(value: unknown, ...members: readonly string[]): string {
  const found = textAt(value, ...members);
  if (found === undefined || found === "")
    throw new TypeError(`cluster.json: ${members.join(".")} must be a text`);
  return found;
}

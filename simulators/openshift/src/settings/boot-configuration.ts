import type { KubeObject } from "@keelson/apiserver";
import {
  type KeyPair,
  listAt,
  messageOf,
  numberAt,
  objectAt,
  Secret,
  stringAt,
  valueAt,
} from "@keelson/base";
import { parse, parseAllDocuments } from "yaml";
import { errors } from "../base/errors.ts";
import { certificatesIn } from "./certificates-in.ts";
import { type ClusterSettings, kubernetesVersionOf, objectOf } from "./cluster-settings.ts";
import { privateKeyPem } from "./private-key-pem.ts";

/** Directory of the installer's files on the bootstrap machine. */
export const assetsDirectory = "/opt/openshift";

/** Script on the bootstrap machine that contains the release image reference. */
export const releaseImageFile = "/usr/local/bin/release-image.sh";

/** File names of the installer's CAs in the directory `tls`. */
export const signerFiles = {
  root: "root-ca",
  controlPlane: "kube-control-plane-signer",
  aggregator: "aggregator-signer",
  apiServer: "kube-apiserver-lb-signer",
} as const;

export type InstallerSigners = Partial<Readonly<Record<keyof typeof signerFiles, KeyPair>>>;

/** Cluster description in the files of a bootstrap machine. */
export interface BootConfiguration {
  readonly settings: ClusterSettings;
  /** Issuer and signing key of service account tokens. Unset if the installer specified none. */
  readonly serviceAccounts?: { readonly issuer: string; readonly signingKey: Secret };
  readonly signers: InstallerSigners;
  /** Manifests in creation order. */
  readonly manifests: readonly KubeObject[];
}

/**
 * Parses the files of `openshift-install` on the bootstrap machine of cluster `infraId`.
 * @throws InvalidBootConfiguration with the missing or invalid file
 */
export function readBootConfiguration(
  files: ReadonlyMap<string, string>,
  infraId: string,
): BootConfiguration {
  try {
    const manifests = manifestsIn(files);
    const signingKey = files.get(`${assetsDirectory}/tls/bound-service-account-signing-key.key`);
    return {
      settings: settingsOf(files, manifests, infraId),
      ...(signingKey === undefined
        ? {}
        : { serviceAccounts: { issuer: issuerIn(manifests), signingKey: new Secret(signingKey) } }),
      signers: signersIn(files),
      manifests,
    };
  } catch (cause) {
    throw errors.InvalidBootConfiguration(messageOf(cause), { cause });
  }
}

/** Returns the objects in `manifests` and `openshift`, sorted by path. cluster-bootstrap creates them in this order. */
function manifestsIn(files: ReadonlyMap<string, string>): readonly KubeObject[] {
  return [...files]
    .filter(([path]) => manifestPath.test(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, text]) => documentsIn(text, path).map((value) => objectOf(value, path)));
}

/** Parses the YAML documents of a file. Errors do not quote the file, because it contains secrets. */
function documentsIn(text: string, path: string): readonly unknown[] {
  if (text.startsWith("{")) {
    try {
      return [JSON.parse(text)];
    } catch {
      // The text is not JSON. It may be a YAML flow mapping, which also starts with a brace.
    }
  }
  return parseAllDocuments(text, { logLevel: "error" }).flatMap((document) => {
    const [problem] = document.errors;
    if (problem) throw new TypeError(`${path} is not YAML: ${problem.code}`);
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : [value];
  });
}

const manifestPath = /^\/opt\/openshift\/(?:manifests|openshift)\/[^/]+\.(?:ya?ml|json)$/;

function settingsOf(
  files: ReadonlyMap<string, string>,
  manifests: readonly KubeObject[],
  infraId: string,
): ClusterSettings {
  const find = (kind: string, name: string) =>
    manifests.find((each) => each.kind === kind && each.metadata.name === name);
  const required = (kind: string, name: string, ...path: readonly string[]) => {
    const found = stringAt(find(kind, name), ...path);
    if (!found) throw new TypeError(`no ${kind} "${name}" with ${path.join(".")} is among the manifests`);
    return found;
  };
  const named = stringAt(find("Infrastructure", "cluster"), "status", "infrastructureName");
  if (named !== undefined && named !== infraId)
    throw new TypeError(`Infrastructure "cluster" is of ${named}, the machine is of ${infraId}`);
  const installConfig: unknown = parse(required("ConfigMap", "cluster-config-v1", "data", "install-config"));
  const cloud: unknown = JSON.parse(required("ConfigMap", "cloud-provider-config", "data", "config"));
  const registry = manifests.find(
    ({ apiVersion, kind }) =>
      kind === "Config" && apiVersion.startsWith("imageregistry.operator.openshift.io/"),
  );
  const registryAccount = stringAt(registry, "spec", "storage", "azure", "accountName");
  const azure = objectAt(installConfig, "platform", "azure");
  const text = (value: unknown, where: string, name: string) => {
    const found = stringAt(value, name);
    if (!found) throw new TypeError(`${where} lacks ${name}`);
    return found;
  };
  const ofAzure = (name: string) => text(azure, "platform.azure of the install-config", name);
  const ofCloud = (name: string) => text(cloud, "the cloud-provider-config", name);
  const sshKey = stringAt(installConfig, "sshKey");
  const controlPlane = valueAt(installConfig, "controlPlane");
  const openShiftVersion = versionOf(files, manifests);
  return {
    version: 1,
    infraId,
    clusterId: required("ClusterVersion", "version", "spec", "clusterID"),
    domain: required("DNS", "cluster", "spec", "baseDomain"),
    openShiftVersion,
    kubernetesVersion: kubernetesVersionOf(openShiftVersion),
    clientCertificateAuthorities: certificatesIn(
      files.get(`${assetsDirectory}/tls/kube-apiserver-complete-client-ca-bundle.crt`) ?? "",
    ),
    sshAuthorizedKeys: sshKey ? sshKey.trim().split("\n") : [],
    platform: {
      subscriptionId: ofCloud("subscriptionId"),
      tenantId: ofCloud("tenantId"),
      location: ofAzure("region"),
      resourceGroup: ofAzure("resourceGroupName"),
      networkResourceGroup: ofAzure("networkResourceGroupName"),
      virtualNetwork: ofAzure("virtualNetwork"),
      controlPlaneSubnet: ofAzure("controlPlaneSubnet"),
      computeSubnet: ofAzure("computeSubnet"),
      networkSecurityGroup: ofCloud("securityGroupName"),
      // Names that the installer assigns to load balancers.
      internalLoadBalancer: `${infraId}-internal`,
      ...(stringAt(azure, "outboundType") === "UserDefinedRouting" ? {} : { publicLoadBalancer: infraId }),
      ...(registryAccount ? { registryStorageAccount: registryAccount } : {}),
    },
    controlPlane: {
      replicas: numberAt(controlPlane, "replicas") ?? 3,
      vmSize: text(valueAt(controlPlane, "platform", "azure"), "controlPlane of the install-config", "type"),
      zones: listAt(controlPlane, "platform", "azure", "zones").filter((zone) => typeof zone === "string"),
    },
  };
}

const release = /(\d+\.\d+\.\d+(?:-(?:ec|fc|rc)\.\d+)?)/;

/**
 * Returns the version in the tag of the release image. If the image reference has a digest instead of a tag, returns the
 * installer's version. If this version is unknown, returns the minor version of the machine image.
 */
function versionOf(files: ReadonlyMap<string, string>, manifests: readonly KubeObject[]): string {
  const image = /\S+\/ocp-release[^\s"'@:]*:(\S+)/.exec(files.get(releaseImageFile) ?? "")?.[1];
  const installer = manifests.find(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "openshift-install-manifests",
  );
  for (const text of [image, stringAt(installer, "data", "version")]) {
    const version = release.exec(text ?? "")?.[1];
    if (version) return version;
  }
  const skus = manifests.flatMap(
    (each) => stringAt(each, "spec", "providerSpec", "value", "image", "sku") ?? [],
  );
  const minor = skus.flatMap((sku) => /4(\d{2})/.exec(sku)?.[1] ?? [])[0];
  if (minor) return `4.${minor}.0`;
  throw new TypeError(`${releaseImageFile} names no release image`);
}

function signersIn(files: ReadonlyMap<string, string>): InstallerSigners {
  return Object.fromEntries(
    Object.entries(signerFiles).flatMap(([signer, name]) => {
      const certificate = files.get(`${assetsDirectory}/tls/${name}.crt`);
      const key = files.get(`${assetsDirectory}/tls/${name}.key`);
      if (!certificate || !key) return [];
      const pair = { certificatePem: certificate, privateKeyPem: privateKeyPem(key) };
      return [[signer, pair] as const];
    }),
  );
}

/** Returns `spec.serviceAccountIssuer` of Authentication `cluster`. */
function issuerIn(manifests: readonly KubeObject[]): string {
  const issuer = stringAt(
    manifests.find(({ kind, metadata }) => kind === "Authentication" && metadata.name === "cluster"),
    "spec",
    "serviceAccountIssuer",
  );
  if (!issuer) throw new TypeError("a signing key needs an Authentication with spec.serviceAccountIssuer");
  return issuer;
}

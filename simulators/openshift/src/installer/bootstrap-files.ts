import type { KubeObject } from "@keelson/apiserver";
import type { KeyPair, Secret } from "@keelson/base";
import { configMap, secret, tlsSecret } from "../base/data-objects.ts";
import { cloudProviderConfig } from "../bootstrap/seeds/cloud.ts";
import { configSeeds } from "../bootstrap/seeds/config.ts";
import { imageRegistryConfig } from "../bootstrap/seeds/operators.ts";
import { assetsDirectory, releaseImageFile, signerFiles } from "../settings/boot-configuration.ts";
import type { ClusterSettings } from "../settings/cluster-settings.ts";
import { pointerIgnition } from "./ignition.ts";
import { installConfigOf } from "./install-config.ts";
import { masterMachines } from "./master-machines.ts";

export interface BootstrapRequest {
  readonly settings: ClusterSettings;
  /** CA that signs the machine config server's certificate. */
  readonly rootAuthority: KeyPair;
  readonly machineConfigServer: KeyPair;
  /** Address at which the machines reach the machine config server. */
  readonly machineConfigHost: string;
  /** Secret with the cluster's service principal. Undefined for managed identities. */
  readonly cloudCredentials?: KubeObject | undefined;
  /** Secret with the password hash of `kubeadmin`. */
  readonly kubeadmin?: KubeObject;
  readonly workerMachineSets: readonly KubeObject[];
  /** Service of the router. Unset if the router's address is unknown. */
  readonly routerService?: KubeObject | undefined;
  /** Signing key of service account tokens in PEM. Unset if the service provides no key. */
  readonly boundServiceAccountSigningKey?: Secret | undefined;
  /** Additional manifests from the service's administrators. */
  readonly manifests: readonly KubeObject[];
}

/** Manifests of the cluster configuration. The keys are file names of `openshift-install`. */
const configFiles: Readonly<Record<string, string>> = {
  ClusterVersion: "cvo-overrides.yaml",
  DNS: "cluster-dns-02-config.yml",
  Infrastructure: "cluster-infrastructure-02-config.yml",
  Ingress: "cluster-ingress-02-config.yml",
  Network: "cluster-network-02-config.yml",
  Proxy: "cluster-proxy-01-config.yaml",
  Scheduler: "cluster-scheduler-02-config.yml",
};

/**
 * Returns the files of the bootstrap machine by absolute path. Contains only files that the simulated boot reads. The format is
 * the same as in `openshift-install` (openshift/installer pkg/asset/ignition/bootstrap).
 */
export function bootstrapFiles(request: BootstrapRequest): Readonly<Record<string, string>> {
  const { settings, rootAuthority, machineConfigServer, boundServiceAccountSigningKey: signingKey } = request;
  const { manifests, openshift } = manifestFiles(request);
  const root = signerFiles.root;
  const tls = {
    "kube-apiserver-complete-client-ca-bundle.crt": settings.clientCertificateAuthorities.join(""),
    [`${root}.crt`]: rootAuthority.certificatePem,
    [`${root}.key`]: rootAuthority.privateKeyPem,
    "machine-config-server.crt": machineConfigServer.certificatePem,
    "machine-config-server.key": machineConfigServer.privateKeyPem,
    ...(signingKey ? { "bound-service-account-signing-key.key": signingKey.reveal() } : {}),
  };
  const image = `quay.io/openshift-release-dev/ocp-release:${settings.openShiftVersion}-x86_64`;
  return {
    [releaseImageFile]: `#!/usr/bin/env bash\npodman inspect ${image}\n`,
    ...below("manifests", manifests),
    ...below("openshift", openshift),
    ...below("tls", tls),
  };
}

function below(directory: string, files: Readonly<Record<string, string>>): Record<string, string> {
  const path = (name: string) => `${assetsDirectory}/${directory}/${name}`;
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [path(name), text]));
}

function manifestFiles(request: BootstrapRequest) {
  const { settings, rootAuthority, machineConfigServer, machineConfigHost } = request;
  const installConfig = { "install-config": installConfigOf(settings) };
  const configs = configSeeds(settings).filter(({ kind }) => configFiles[kind] !== undefined);
  const operatorNamespace = "openshift-machine-config-operator";
  const manifests: Readonly<Record<string, KubeObject | undefined>> = {
    "cluster-config.yaml": configMap("kube-system", "cluster-config-v1", installConfig),
    ...Object.fromEntries(configs.map((each) => [configFiles[each.kind], each])),
    "cloud-provider-config.yaml": cloudProviderConfig(settings),
    "kube-system-configmap-root-ca.yaml": configMap("kube-system", "root-ca", {
      "ca.crt": rootAuthority.certificatePem,
    }),
    "machine-config-server-tls-secret.yaml": tlsSecret(
      operatorNamespace,
      "machine-config-server-tls",
      machineConfigServer,
    ),
    ...(settings.platform.registryStorageAccount
      ? { "aro-imageregistry.yaml": imageRegistryConfig(settings) }
      : {}),
    "aro-ingress-service.yaml": request.routerService,
    ...Object.fromEntries(request.manifests.map((each) => [customFileName(each), each])),
  };
  const userData = (role: "master" | "worker") =>
    secret("openshift-machine-api", `${role}-user-data`, {
      disableTemplating: "true",
      userData: pointerIgnition(machineConfigHost, role, rootAuthority.certificatePem),
    });
  const clusterApi = "99_openshift-cluster-api_";
  const openshift: Readonly<Record<string, KubeObject | undefined>> = {
    "99_cloud-creds-secret.yaml": request.cloudCredentials,
    "99_kubeadmin-password-secret.yaml": request.kubeadmin,
    [`${clusterApi}master-user-data-secret.yaml`]: userData("master"),
    [`${clusterApi}worker-user-data-secret.yaml`]: userData("worker"),
    ...numbered(`${clusterApi}master-machines`, masterMachines(settings)),
    ...numbered(`${clusterApi}worker-machineset`, request.workerMachineSets),
  };
  return { manifests: asTexts(manifests), openshift: asTexts(openshift) };
}

function numbered(prefix: string, objects: readonly KubeObject[]): Record<string, KubeObject> {
  return Object.fromEntries(objects.map((each, index) => [`${prefix}-${index}.yaml`, each]));
}

/** Serializes objects as JSON, which is valid YAML. */
function asTexts(objects: Readonly<Record<string, KubeObject | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objects).flatMap(([name, object]) => (object ? [[name, JSON.stringify(object)]] : [])),
  );
}

function customFileName({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${[kind.toLowerCase(), ...(namespace ? [namespace] : []), name].join("-")}.yaml`;
}

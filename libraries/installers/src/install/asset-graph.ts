import { createPrivateKey } from "node:crypto";
import { isPlainObject, type KeyPair, stringAt } from "@keelson/base";
import { installerErrors } from "./errors.ts";
import type { InstallState } from "./installer.ts";

/** Assets that the installer generates, keyed by Go type (openshift/installer pkg/asset). */
export type AssetGraph = Readonly<Record<string, unknown>>;

/**
 * Parses the installer's graph. The graph is secret, so errors do not quote it.
 * @throws InvalidAssetGraph
 */
export function parseAssetGraph(text: string, source: string): AssetGraph {
  try {
    const value: unknown = JSON.parse(text);
    if (isPlainObject(value)) return value;
  } catch {
    // The parser's error is dropped, because it would quote the graph.
  }
  throw installerErrors.InvalidAssetGraph(`${source} is not a JSON object`);
}

export interface ClusterAddress {
  readonly infraId: string;
  /** Fully qualified domain of the cluster. */
  readonly domain: string;
}

/**
 * Extracts the install state from a graph. The URLs use the cluster's own host names. The CA bundle comes from the installer's
 * kubeconfig.
 * @throws InvalidAssetGraph if an asset is missing, or if the graph belongs to a different cluster
 */
export function installStateOfGraph(
  graph: AssetGraph,
  { infraId, domain }: ClusterAddress,
  source: string,
): InstallState {
  const id = textIn(graph, source, "*installconfig.ClusterID", "InfraID");
  if (id !== infraId)
    throw installerErrors.InvalidAssetGraph(`${source} is of the cluster ${id}, not of ${infraId}`);
  const kubeconfig = decoded(textIn(graph, source, "*kubeconfig.AdminInternalClient", "File", "Data"));
  const authorities = /certificate-authority-data: *"?([A-Za-z0-9+/=]+)/.exec(kubeconfig)?.[1];
  if (!authorities)
    throw installerErrors.InvalidAssetGraph(`${source}: the kubeconfig names no certificate authority`);
  return {
    clusterId: textIn(graph, source, "*installconfig.ClusterID", "UUID"),
    kubeconfigSigner: keyPairIn(graph, source, "*tls.AdminKubeConfigSignerCertKey"),
    kubeadminPassword: textIn(graph, source, "*password.KubeadminPassword", "Password"),
    apiServer: {
      url: `https://api.${domain}:6443`,
      internalUrl: `https://api-int.${domain}:6443`,
      internalCaPem: decoded(authorities),
    },
  };
}

/** Converts a key from the installer's format (PKCS#1) to Keelson's format (PKCS#8). */
function keyPairIn(graph: AssetGraph, source: string, asset: string): KeyPair {
  const certificatePem = decoded(textIn(graph, source, asset, "CertRaw"));
  const key = decoded(textIn(graph, source, asset, "KeyRaw"));
  try {
    const privateKeyPem = createPrivateKey(key).export({ type: "pkcs8", format: "pem" }).toString();
    return { certificatePem, privateKeyPem };
  } catch {
    throw installerErrors.InvalidAssetGraph(`${source}: ${asset} has no private key in PEM`);
  }
}

function textIn(graph: AssetGraph, source: string, asset: string, ...path: readonly string[]): string {
  const text = stringAt(graph, asset, ...path);
  if (text) return text;
  throw installerErrors.InvalidAssetGraph(`${source} lacks ${asset}.${path.join(".")}`);
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

import type { KubeObject } from "@keelson/apiserver";

/** Object of a release with the name of its payload file, for example `0000_50_some-operator_06-deployment.yaml`. */
export interface ReleaseManifest {
  readonly file: string;
  readonly object: KubeObject;
}

/** Target release of a payload. */
export interface PayloadVersion {
  readonly version: string;
  readonly kubernetesVersion: string;
}

/**
 * Returns the manifests of the real operators in a release. The real operators run in addition to the simulated operators. Called
 * for each current and target version of a cluster.
 */
export type ReleasePayload = (release: PayloadVersion) => readonly ReleaseManifest[];

/** Returns the run level and component in a manifest's file name. */
export function componentOf(file: string): string {
  return /^0000_\d+_[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*?_/.exec(file)?.[0] ?? file;
}

/**
 * Formats a manifest like the cluster version operator, for example `deployment
 * "openshift-image-registry/cluster-image-registry-operator"`.
 */
export function describeManifest({ object: { kind, metadata } }: ReleaseManifest): string {
  const { namespace, name } = metadata;
  return `${kind.toLowerCase()} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}

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
 * Returns the manifests that a release contains for the real operators. These operators run in addition to the simulated
 * operators. The function is called for the current and for the target version of each cluster.
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

import type { KubeObject } from "@keelson/apiserver";

/** Object of a release and its payload file: `0000_50_some-operator_06-deployment.yaml`. */
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
 * Returns the manifests of real operators in a release, in addition to the operators that the simulation
 * implements. Called for each version that a cluster has or is updated to.
 */
export type ReleasePayload = (release: PayloadVersion) => readonly ReleaseManifest[];

/** Run level and component of a file. */
export function componentOf(file: string): string {
  return /^0000_\d+_[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*?_/.exec(file)?.[0] ?? file;
}

/**
 * `deployment "openshift-image-registry/cluster-image-registry-operator"`, as the cluster version operator
 * names it.
 */
export function describeManifest({ object: { kind, metadata } }: ReleaseManifest): string {
  const { namespace, name } = metadata;
  return `${kind.toLowerCase()} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}

import type { KubeObject } from "@keelson/apiserver";

/** An object that a release brings, and the file of the payload that it is in: `0000_50_some-operator_06-deployment.yaml`. */
export interface ReleaseManifest {
  readonly file: string;
  readonly object: KubeObject;
}

/** What a payload is built for. */
export interface PayloadVersion {
  readonly version: string;
  readonly kubernetesVersion: string;
}

/**
 * The manifests of the operators that a release brings into every cluster, beside those that the simulation plays
 * itself. Asked for each version that a cluster has or is updated to.
 */
export type ReleasePayload = (release: PayloadVersion) => readonly ReleaseManifest[];

/** Run level and component of a file: manifests of one component are applied in order, those of others beside them. */
export function componentOf(file: string): string {
  return /^0000_\d+_[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*?_/.exec(file)?.[0] ?? file;
}

/** `deployment "openshift-image-registry/cluster-image-registry-operator"`, as the cluster version operator names it. */
export function describeManifest({ object: { kind, metadata } }: ReleaseManifest): string {
  const { namespace, name } = metadata;
  return `${kind.toLowerCase()} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}

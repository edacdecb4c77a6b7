import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";

/** Cluster settings that determine the included manifests. */
export interface InclusionObserved {
  readonly enabledCapabilities: readonly string[];
  /** Default: `Default`. */
  readonly featureSet: string;
  /** The `spec.overrides` field of the ClusterVersion. */
  readonly overrides: readonly unknown[];
}

/** Cluster profile of a self-managed control plane with several machines. */
const profile = "self-managed-high-availability";

/**
 * True if the cluster version operator applies the manifest (openshift/library-go pkg/manifest, Include). False for objects that
 * an override marks as unmanaged.
 */
export function isIncluded(object: KubeObject, observed: InclusionObserved): boolean {
  const annotations = stringMapAt(object, "metadata", "annotations");
  const listed = (name: string, separator: string) => annotations[name]?.split(separator).filter(Boolean);
  const featureSets = listed("release.openshift.io/feature-set", ",");
  return (
    annotations[`include.release.openshift.io/${profile}`] === "true" &&
    annotations[`exclude.release.openshift.io/${profile}`] !== "true" &&
    (featureSets?.includes(observed.featureSet) ?? true) &&
    (listed("capability.openshift.io/name", "+") ?? []).every((capability) =>
      observed.enabledCapabilities.includes(capability),
    ) &&
    !observed.overrides.some((override) => unmanages(override, object))
  );
}

function unmanages(override: unknown, { apiVersion, kind, metadata }: KubeObject): boolean {
  const group = apiVersion.includes("/") ? apiVersion.split("/", 1)[0] : "";
  const { namespace } = metadata;
  return (
    Object(override).unmanaged === true &&
    (stringAt(override, "group") ?? "") === group &&
    stringAt(override, "kind") === kind &&
    stringAt(override, "name") === metadata.name &&
    (namespace === undefined || stringAt(override, "namespace") === namespace)
  );
}

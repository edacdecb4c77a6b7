import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";

/** Object that still exists in a terminating namespace. */
export interface Remainder {
  readonly bucket: string;
  readonly finalizers: readonly string[];
}

/** Maximum number of names for each kind in a condition's message. */
const maxListed = 20;

/**
 * Sets the conditions that report the deletion progress of a namespace.
 * @see kubernetes/kubernetes pkg/controller/namespace/deletion/status_condition_utils.go
 */
export function withDeletionConditions(
  namespace: KubeObject,
  left: readonly Remainder[],
  failures: readonly string[],
  now: string,
): KubeObject {
  const status = objectAt(namespace, "status");
  const known = listAt(status, "conditions");
  const conditions = wantedConditions(left, failures).map((wanted) => {
    const before = known.find((each) => scalarStringAt(each, "type") === wanted.type);
    const same = scalarStringAt(before, "status") === wanted.status;
    return { ...wanted, lastTransitionTime: (same && scalarStringAt(before, "lastTransitionTime")) || now };
  });
  const types = new Set(conditions.map(({ type }) => type));
  const others = known.filter((each) => !types.has(scalarStringAt(each, "type")));
  return {
    ...namespace,
    apiVersion: namespace.apiVersion,
    kind: namespace.kind,
    metadata: namespace.metadata,
    status: { ...status, conditions: [...others, ...conditions] },
  };
}

function wantedConditions(left: readonly Remainder[], failures: readonly string[]) {
  const instances = [...counted(left.map(({ bucket }) => resourceOf(bucket)))];
  const finalizers = [...counted(left.flatMap((each) => each.finalizers))];
  return [
    condition("NamespaceDeletionDiscoveryFailure", false, {
      reason: "ResourcesDiscovered",
      message: "All resources successfully discovered",
    }),
    condition("NamespaceDeletionGroupVersionParsingFailure", false, {
      reason: "ParsedGroupVersions",
      message: "All legacy kube types successfully parsed",
    }),
    failures.length > 0
      ? condition("NamespaceDeletionContentFailure", true, {
          reason: "ContentDeletionFailed",
          message: `Failed to delete all resource types, ${failures.length} remaining: ${failures.slice(0, maxListed).join(", ")}`,
        })
      : condition("NamespaceDeletionContentFailure", false, {
          reason: "ContentDeleted",
          message: "All content successfully deleted, may be waiting on finalization",
        }),
    instances.length > 0
      ? condition("NamespaceContentRemaining", true, {
          reason: "SomeResourcesRemain",
          message: `Some resources are remaining: ${instances
            .map(([resource, count]) => `${resource} has ${count} resource instances`)
            .join(", ")}`,
        })
      : condition("NamespaceContentRemaining", false, {
          reason: "ContentRemoved",
          message: "All content successfully removed",
        }),
    finalizers.length > 0
      ? condition("NamespaceFinalizersRemaining", true, {
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${finalizers
            .slice(0, maxListed)
            .map(([finalizer, count]) => `${finalizer} in ${count} resource instances`)
            .join(", ")}`,
        })
      : condition("NamespaceFinalizersRemaining", false, {
          reason: "ContentHasNoFinalizers",
          message: "All content-preserving finalizers finished",
        }),
  ];
}

function condition(type: string, holds: boolean, why: { readonly reason: string; readonly message: string }) {
  return { type, status: holds ? "True" : "False", ...why };
}

/** Counts the occurrences of each string. The result is sorted. */
function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts.toSorted()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Converts a bucket `group/plural` to `plural.group`. For the core group, the result ends with the dot. */
function resourceOf(bucket: string): string {
  const slash = bucket.indexOf("/");
  return `${bucket.slice(slash + 1)}.${bucket.slice(0, slash)}`;
}

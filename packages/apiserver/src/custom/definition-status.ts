import { arrayAt, recordAt, textAt, textsAt, valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceDirectory } from "../registry/resource-directory.ts";
import { bucketOf } from "../registry/served-resource.ts";
import { approvalOf, isProtectedGroup } from "./api-approval.ts";

/** The definition with the status that says whether its names are its own, and so whether it is served. */
export function withDefinitionStatus(
  definition: KubeObject,
  directory: ResourceDirectory,
  now: string,
): KubeObject {
  const spec = recordAt(definition, "spec");
  const status = recordAt(definition, "status");
  const conflict = nameConflict(definition, directory);
  const old = arrayAt(status, "conditions");
  const own = new Set([
    "NamesAccepted",
    "Established",
    "Terminating",
    "KubernetesAPIApprovalPolicyConformant",
  ]);
  const others = old.filter((each) => !own.has(textAt(each, "type")));
  const condition = (type: string, holds: boolean, reason: string, message: string) => {
    const before = old.find((each) => textAt(each, "type") === type);
    const value = holds ? "True" : "False";
    const since = textAt(before, "status") === value ? textAt(before, "lastTransitionTime") : now;
    return { lastTransitionTime: since, message, reason, status: value, type };
  };
  const wasEstablished = old.some(
    (each) => textAt(each, "type") === "Established" && textAt(each, "status") === "True",
  );
  const storage = arrayAt(spec, "versions").find((each) => valueAt(each, "storage") === true);
  const stored = new Set([...textsAt(status, "storedVersions"), textAt(storage, "name")]);
  return {
    ...definition,
    status: {
      ...status,
      conditions: [
        conflict
          ? condition("NamesAccepted", false, conflict.reason, conflict.message)
          : condition("NamesAccepted", true, "NoConflicts", "no conflicts found"),
        conflict && !wasEstablished
          ? condition("Established", false, "NotAccepted", "not all names are accepted")
          : condition("Established", true, "InitialNamesAccepted", "the initial names have been accepted"),
        ...approvalCondition(definition).map((each) => condition(...each)),
        ...(definition.metadata.deletionTimestamp
          ? [
              condition(
                "Terminating",
                true,
                "InstanceDeletionInProgress",
                "CustomResource deletion is in progress",
              ),
            ]
          : []),
        ...others,
      ],
      acceptedNames: conflict ? (status.acceptedNames ?? { plural: "", kind: "" }) : recordAt(spec, "names"),
      storedVersions: [...stored],
    },
  };
}

function nameConflict(
  definition: KubeObject,
  directory: ResourceDirectory,
): { readonly reason: string; readonly message: string } | undefined {
  const group = textAt(definition, "spec", "group");
  const names = recordAt(definition, "spec", "names");
  const own = bucketOf(group, textAt(names, "plural"));
  const others = directory.all().filter(({ type, bucket }) => type.group === group && bucket !== own);
  const taken = new Set(others.flatMap(({ type }) => [type.plural, type.singular, ...type.shortNames]));
  const kinds = new Set(others.flatMap(({ type, listKind }) => [type.kind, listKind]));
  const name = [textAt(names, "plural"), textAt(names, "singular"), ...textsAt(names, "shortNames")].find(
    (each) => taken.has(each),
  );
  if (name) return { reason: "NameConflict", message: `"${name}" is already in use` };
  const kind = [textAt(names, "kind"), textAt(names, "listKind")].find((each) => kinds.has(each));
  return kind ? { reason: "KindConflict", message: `"${kind}" is already in use` } : undefined;
}

/** The conditions of a definition in a group of the Kubernetes project: others have none of these. */
function approvalCondition(definition: KubeObject): readonly (readonly [string, boolean, string, string])[] {
  if (!isProtectedGroup(textAt(definition, "spec", "group"))) return [];
  const { state, reason } = approvalOf(definition);
  const why = {
    approved: "ApprovedAnnotation",
    bypassed: "UnapprovedAnnotation",
    invalid: "InvalidAnnotation",
    missing: "MissingAnnotation",
  }[state];
  return [["KubernetesAPIApprovalPolicyConformant", state === "approved", why, reason]];
}

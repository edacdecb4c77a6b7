import { conditionIsTrue, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import {
  approvalOf,
  type Condition,
  isCertificateBundle,
  isProtectedGroup,
  withCondition,
} from "@keelson/schema";
import type { ResourceDirectory } from "../resources/resource-directory.ts";
import { judgeNames, type NameVerdict } from "./judge-names.ts";

/**
 * Sets the conditions and accepted names of a definition. These fields determine whether the API server serves the definition's
 * resources.
 */
export function withDefinitionStatus(
  definition: KubeObject,
  directory: ResourceDirectory,
  now: string,
): KubeObject {
  const status = objectAt(definition, "status");
  const { acceptedNames, conflict } = judgeNames(definition, directory);
  const said = [
    namesAccepted(conflict),
    ...establishedCondition(definition, conflict),
    ...approvalCondition(definition),
  ];
  return {
    ...definition,
    status: {
      ...status,
      conditions: said.reduce<readonly unknown[]>(
        (conditions, each) => withCondition(conditions, each, now),
        listAt(status, "conditions"),
      ),
      acceptedNames,
      storedVersions: storedVersions(definition),
    },
  };
}

/**
 * Returns the versions that may have stored objects: the versions in the status and the current storage version. Migration tools
 * remove old versions from the status.
 */
function storedVersions({ spec, status }: KubeObject): readonly string[] {
  const storage = listAt(spec, "versions").find((each) => valueAt(each, "storage") === true);
  return [
    ...new Set([
      ...stringsAt(status, "storedVersions"),
      ...(storage ? [scalarStringAt(storage, "name")] : []),
    ]),
  ];
}

function namesAccepted(conflict: NameVerdict["conflict"]): Condition {
  const type = "NamesAccepted";
  if (conflict) return { type, status: "False", ...conflict };
  return { type, status: "True", reason: "NoConflicts", message: "no conflicts found" };
}

/**
 * Returns the Established condition, which becomes true when the names are accepted and the CA bundle is valid. Empty if the
 * condition is already true, because it then remains true.
 */
function establishedCondition(
  definition: KubeObject,
  conflict: NameVerdict["conflict"],
): readonly Condition[] {
  const type = "Established";
  if (conditionIsTrue(definition, type)) return [];
  if (conflict) {
    return [{ type, status: "False", reason: "NotAccepted", message: "not all names are accepted" }];
  }
  const bundle = scalarStringAt(definition, "spec", "conversion", "webhook", "clientConfig", "caBundle");
  if (bundle && !isCertificateBundle(bundle)) {
    const message = "The conversion webhook CABundle is invalid";
    return [{ type, status: "False", reason: "InvalidCABundle", message }];
  }
  const message = "the initial names have been accepted";
  return [{ type, status: "True", reason: "InitialNamesAccepted", message }];
}

/** Returns the approval condition of a definition in a protected group of the Kubernetes project. Empty for other groups. */
function approvalCondition(definition: KubeObject): readonly Condition[] {
  if (!isProtectedGroup(scalarStringAt(definition, "spec", "group"))) return [];
  const { state, reason: message } = approvalOf(definition);
  const reason = {
    approved: "ApprovedAnnotation",
    bypassed: "UnapprovedAnnotation",
    invalid: "InvalidAnnotation",
    missing: "MissingAnnotation",
  }[state];
  const status = state === "approved" ? "True" : "False";
  return [{ type: "KubernetesAPIApprovalPolicyConformant", status, reason, message }];
}

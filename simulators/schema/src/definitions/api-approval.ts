import { fieldError, type KubeObject, type StatusCause, scalarStringAt } from "@keelson/apimachinery";

/** Annotation with the API approval. Definitions in groups of the Kubernetes project require this annotation. */
const annotation = "api-approved.kubernetes.io";
const field = `metadata.annotations[${annotation}]`;

export interface Approval {
  readonly state: "approved" | "bypassed" | "invalid" | "missing";
  readonly reason: string;
}

export function approvalOf({ metadata }: KubeObject): Approval {
  const value = metadata.annotations?.[annotation] ?? "";
  if (value === "") {
    const reason = `protected groups must have approval annotation "${annotation}", see https://github.com/kubernetes/enhancements/pull/1111`;
    return { state: "missing", reason };
  }
  if (value.startsWith("unapproved")) {
    return { state: "bypassed", reason: `not approved: ${JSON.stringify(value)}` };
  }
  const url = URL.parse(value);
  if (url?.host) return { state: "approved", reason: `approved in ${value}` };
  const reason = `protected groups must have approval annotation "${annotation}" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`;
  return { state: "invalid", reason };
}

export function isProtectedGroup(group: string): boolean {
  return ["k8s.io", "kubernetes.io"].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** Validates the approval of a definition in a group of the Kubernetes project. An update may keep an invalid approval state. */
export function validateApproval(
  definition: KubeObject,
  current: KubeObject | undefined,
): readonly StatusCause[] {
  if (!isProtectedGroup(scalarStringAt(definition, "spec", "group"))) return [];
  const { state, reason } = approvalOf(definition);
  if (current && approvalOf(current).state === state) return [];
  if (state === "missing") return [fieldError.required(field, reason)];
  if (state !== "invalid") return [];
  return [fieldError.invalid(field, definition.metadata.annotations?.[annotation] ?? "", reason)];
}

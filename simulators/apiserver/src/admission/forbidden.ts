import type { AdmissionRequest } from "../registry/admission.ts";
import { subjectOf } from "../registry/served-resource.ts";
import { failures, type StatusError } from "../status/status-error.ts";

/** The name by which refusals call an object that may not have one yet. */
export function requestName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata.generateName || object?.metadata.name || "Unknown";
}

/** The refusal of a request in the words of kube-apiserver's admission. */
export function forbidden(request: AdmissionRequest, why: string): StatusError {
  return failures.forbidden(subjectOf(request.resource), requestName(request), why);
}

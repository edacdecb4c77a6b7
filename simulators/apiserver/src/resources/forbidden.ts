import { failures, type StatusError } from "@keelson/apimachinery";
import type { AdmissionRequest } from "./admission-request.ts";
import { subjectOf } from "./served-resource.ts";

/** The name by which refusals call an object that may not have one yet. */
export function requestName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata.generateName || object?.metadata.name || "Unknown";
}

/** The refusal of a request in the words of kube-apiserver's admission. */
export function forbidden(request: AdmissionRequest, why: string): StatusError {
  return failures.forbidden(subjectOf(request.resource), requestName(request), why);
}

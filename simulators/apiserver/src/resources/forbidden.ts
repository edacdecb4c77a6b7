import { failures, type StatusError } from "@keelson/apimachinery";
import type { AdmissionRequest } from "./admission-request.ts";
import { subjectOf } from "./served-resource.ts";

/** Returns the object name for an error message. If the name is not generated yet, returns its prefix. */
export function requestName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata.generateName || object?.metadata.name || "Unknown";
}

/** Returns the error of a denied request. The message has the format of kube-apiserver's admission. */
export function forbidden(request: AdmissionRequest, why: string): StatusError {
  return failures.forbidden(subjectOf(request.resource), requestName(request), why);
}

import { failures, type StatusError } from "@keelson/apimachinery";
import type { AdmissionRequest } from "./admission-request.ts";
import { subjectOf } from "./served-resource.ts";

/** Object name for denials, also if the name is not generated yet. */
export function requestName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata.generateName || object?.metadata.name || "Unknown";
}

/** Denial of a request with the message format of kube-apiserver's admission. */
export function forbidden(request: AdmissionRequest, why: string): StatusError {
  return failures.forbidden(subjectOf(request.resource), requestName(request), why);
}

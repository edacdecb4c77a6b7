import { CloudError } from "@keelson/arm";
import type { RequestContext } from "../http/messages/request-context.ts";

/**
 * Returns the person that the request's ARM system data names. Default: the caller. Empty if the request names no person and the
 * caller is unknown.
 */
export function personOf(request: RequestContext): string {
  const { lastModifiedBy, createdBy } = request.systemData() ?? {};
  return lastModifiedBy || createdBy || request.administrator || "";
}

/**
 * Returns the person that the request's ARM system data names. Default: the caller.
 * @throws CloudError Forbidden if the request names no person and the caller is unknown
 */
export function knownPersonOf(request: RequestContext): string {
  const person = personOf(request);
  if (person !== "") return person;
  throw new CloudError(
    "Forbidden",
    "Elevated access needs a known person: name it in `lastModifiedBy` of the header X-Ms-Arm-Resource-System-Data.",
  );
}

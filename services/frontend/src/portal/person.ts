import { CloudError } from "@keelson/arm";
import type { RequestContext } from "../http/messages/request-context.ts";

/** Returns the person that the caller names, or the caller. Empty if neither is known. */
export function personOf(request: RequestContext): string {
  const { lastModifiedBy, createdBy } = request.systemData() ?? {};
  return lastModifiedBy || createdBy || request.administrator || "";
}

/** @throws CloudError Forbidden if neither a person nor the caller is known */
export function knownPersonOf(request: RequestContext): string {
  const person = personOf(request);
  if (person !== "") return person;
  throw new CloudError(
    "Forbidden",
    "Elevated access needs a known person: name it in `lastModifiedBy` of the header X-Ms-Arm-Resource-System-Data.",
  );
}

import { ArmError } from "./arm-error.ts";
import type { ArmRequest } from "./exchange.ts";

/** Checks a resource's etag against `If-Match` and `If-None-Match`. @throws ArmError 412 if a condition fails */
export function checkConditions(
  request: Pick<ArmRequest, "ifMatch" | "ifNoneMatch">,
  etag: string | undefined,
): void {
  const { ifMatch, ifNoneMatch } = request;
  if (ifMatch !== undefined && !(etag !== undefined && matches(ifMatch, etag))) {
    throw preconditionFailed(`The condition '${ifMatch}' in the If-Match header was not satisfied.`);
  }
  if (ifNoneMatch !== undefined && etag !== undefined && matches(ifNoneMatch, etag)) {
    throw preconditionFailed(`The condition '${ifNoneMatch}' in the If-None-Match header was not satisfied.`);
  }
}

/** True if a list of etags contains `etag`. A list item has one of the forms `*`, `W/"tag"`, `"tag"` and `tag`. */
function matches(header: string, etag: string): boolean {
  return header
    .split(",")
    .map((each) =>
      each
        .trim()
        .replace(/^W\//, "")
        .replace(/^"(.*)"$/, "$1"),
    )
    .some((each) => each === "*" || each === etag);
}

function preconditionFailed(message: string): ArmError {
  return new ArmError(412, "PreconditionFailed", message);
}

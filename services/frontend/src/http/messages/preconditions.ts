import { CloudError } from "@keelson/arm";
import type { RequestContext } from "./request-context.ts";

/** Returns the `ETag` header for responses to reads and writes of a document. */
export function etagHeader(etag: string | undefined): Readonly<Record<string, string>> {
  return etag ? { etag: `"${etag}"` } : {};
}

/**
 * Evaluates the headers `If-Match` and `If-None-Match` of a request that changes a resource. A caller can send them to avoid
 * overwriting a version that it has not read. Does nothing without the headers.
 * @throws CloudError PreconditionFailed (412)
 */
export function checkPreconditions(
  request: RequestContext,
  stored: { readonly etag: string } | undefined,
): void {
  const match = request.header("if-match");
  const noneMatch = request.header("if-none-match");
  const current = stored && `"${stored.etag}"`;
  if (match !== undefined && !names(match, current)) {
    throw failed(
      stored
        ? `The resource has been changed: its ETag is not ${match} of the header 'If-Match'. Read it again, then repeat the change.`
        : "The header 'If-Match' asks for a resource that exists, and there is none.",
    );
  }
  if (noneMatch !== undefined && names(noneMatch, current)) {
    throw failed("The header 'If-None-Match' asks for a resource that does not exist, and there is one.");
  }
}

/** True if a list of ETags contains the current ETag. `*` matches every ETag. The prefix `W/` of weak ETags is ignored. */
function names(header: string, current: string | undefined): boolean {
  if (current === undefined) return false;
  return header.split(",").some((each) => {
    const etag = each.trim().replace(/^W\//, "");
    return etag === "*" || etag === current;
  });
}

function failed(message: string): CloudError {
  return new CloudError("PreconditionFailed", message);
}

import type { RequestContext } from "../http/request-context.ts";

/** The person who asks, as Azure Resource Manager says; empty when it does not. */
export function personOf(request: RequestContext): string {
  const { lastModifiedBy, createdBy } = request.systemData() ?? {};
  return lastModifiedBy || createdBy || "";
}

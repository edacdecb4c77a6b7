import { createHash, randomUUID } from "node:crypto";
import { create } from "@keelson/database";
import type { PortalSessionDocument, ServiceDatabase } from "@keelson/model";
import { unexpectedResult } from "../http/conflict-retry.ts";
import type { RequestContext } from "../http/request-context.ts";

/** Stores what the portal lets the bearer of the answered token do. */
export async function openSession(
  database: ServiceDatabase,
  { portal, ttlSeconds }: Pick<PortalSessionDocument, "portal" | "ttlSeconds">,
  signal: AbortSignal,
): Promise<string> {
  const token = randomUUID();
  const id = createHash("sha256").update(token).digest("hex");
  const document = { id, partitionKey: id, ttlSeconds, portal };
  const write = create(database.collections.portalSessions, document);
  const result = await database.commit(id, [write], { signal });
  if (result.kind !== "committed") throw unexpectedResult(result);
  return token;
}

/** The person who asks, as Azure Resource Manager says; empty when it does not. */
export function personOf(request: RequestContext): string {
  const { lastModifiedBy, createdBy } = request.systemData() ?? {};
  return lastModifiedBy || createdBy || "";
}

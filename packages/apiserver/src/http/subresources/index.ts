import type { ResourceType } from "../../resource-type.ts";
import { failures } from "../../status/status-error.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { handleEviction } from "./eviction.ts";
import { partHandler } from "./part.ts";
import { handleScale } from "./scale.ts";

export type SubresourceHandler = (call: ResourceRequest) => Promise<void>;

/** Subresources of one kind, as `group/plural/name`. */
const ofKind: Readonly<Record<string, SubresourceHandler>> = {
  "/pods/eviction": handleEviction,
  "/namespaces/finalize": partHandler("finalize"),
  "certificates.k8s.io/certificatesigningrequests/approval": partHandler("status"),
};

/** Subresources that mean the same for every kind that has them. */
const ofAll: Readonly<Record<string, SubresourceHandler>> = {
  status: partHandler("status"),
  scale: handleScale,
};

/** What answers requests for a subresource. @throws StatusError 404 */
export function subresourceHandler({ group, plural }: ResourceType, name: string): SubresourceHandler {
  const handler = ofKind[`${group}/${plural}/${name}`] ?? ofAll[name];
  if (!handler) throw failures.noSuchPath();
  return handler;
}

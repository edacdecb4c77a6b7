import type { ResourceType } from "../../resource-type.ts";
import { failures } from "../../status/status-error.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { handleAttach, handleExec } from "../streaming/exec.ts";
import { handleLog } from "../streaming/log.ts";
import { handlePortForward } from "../streaming/port-forward.ts";
import { handleProxy } from "../streaming/proxy.ts";
import { handleBinding } from "./binding.ts";
import { handleEphemeralContainers } from "./ephemeral-containers.ts";
import { handleEviction } from "./eviction.ts";
import { partHandler } from "./part.ts";
import { handleScale } from "./scale.ts";
import { handleToken } from "./token.ts";

export type SubresourceHandler = (call: ResourceRequest) => Promise<void>;

/** Subresources of one kind, as `group/plural/name`. */
const ofKind: Readonly<Record<string, SubresourceHandler>> = {
  "/nodes/proxy": handleProxy,
  "/pods/attach": handleAttach,
  "/pods/binding": handleBinding,
  "/pods/ephemeralcontainers": handleEphemeralContainers,
  "/pods/eviction": handleEviction,
  "/pods/exec": handleExec,
  "/pods/log": handleLog,
  "/pods/portforward": handlePortForward,
  "/pods/proxy": handleProxy,
  "/services/proxy": handleProxy,
  "/namespaces/finalize": partHandler("finalize"),
  "/serviceaccounts/token": handleToken,
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

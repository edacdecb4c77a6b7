import { failures } from "@keelson/apimachinery";
import type { ResourceRequest } from "../resources/resource-request.ts";
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

/** Handlers by subresource name. A subresource has the same meaning for all kinds. */
const handlers: Readonly<Record<string, SubresourceHandler>> = {
  approval: partHandler("status"),
  attach: handleAttach,
  binding: handleBinding,
  ephemeralcontainers: handleEphemeralContainers,
  eviction: handleEviction,
  exec: handleExec,
  finalize: partHandler("finalize"),
  log: (call) => handleLog(call),
  portforward: handlePortForward,
  proxy: handleProxy,
  scale: handleScale,
  status: partHandler("status"),
  token: handleToken,
};

/**
 * Returns the handler of a subresource.
 * @throws StatusError 404
 */
export function subresourceHandler(name: string): SubresourceHandler {
  const handler = handlers[name];
  if (!handler) throw failures.noSuchPath();
  return handler;
}

import { checkVmName } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import type { JsonValue } from "@keelson/base";
import type { RequestContext } from "../http/request-context.ts";

/** Which objects of the cluster a request is about. */
export function objectQuery(request: RequestContext) {
  return {
    kind: request.query("kind") ?? "",
    namespace: request.query("namespace") ?? "",
    name: request.query("name") ?? "",
  };
}

const words: Readonly<Record<string, boolean>> = {
  "1": true,
  t: true,
  true: true,
  "0": false,
  f: false,
  false: false,
};

/** A query parameter that is true or false; false when absent. @throws CloudError InvalidParameter for other values */
export function queryFlag(request: RequestContext, name: string): boolean {
  const text = request.query(name);
  if (text === undefined) return false;
  const value = Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined;
  if (value !== undefined) return value;
  throw new CloudError("InvalidParameter", `The query parameter '${name}' must be 'true' or 'false'.`, {
    target: name,
  });
}

/** The body of an action that is nothing without one. @throws CloudError InvalidRequestContent and what `json` throws */
export function requiredJson(request: RequestContext): JsonValue {
  if (request.bodyBytes().length === 0)
    throw new CloudError("InvalidRequestContent", "The request body must not be empty.");
  return request.json();
}

export interface VmParameters {
  readonly [name: string]: string;
  readonly vmName: string;
}

/** @throws CloudError InvalidParameter */
export function vmNameOf(request: RequestContext): VmParameters {
  const vmName = request.query("vmName") ?? "";
  checkVmName(vmName);
  return { vmName };
}

/** What a virtual machine does takes minutes; and what was done to it may be done again. */
export const machineWork = { limitMs: 60 * 60_000, resumable: true };

/** Above the 30 minutes that these actions give themselves, so that they can still say so. */
export const streamLimitMs = 32 * 60_000;

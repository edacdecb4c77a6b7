import { CloudError } from "@keelson/arm";
import type { JsonValue } from "@keelson/base";
import type { Exchange } from "../exchange.ts";

/** The body of an action that is nothing without one. @throws CloudError InvalidRequestContent and what `json` throws */
export function requiredJson(exchange: Exchange): JsonValue {
  if (exchange.bodyBytes().length === 0)
    throw new CloudError("InvalidRequestContent", "The request body must not be empty.");
  return exchange.json();
}

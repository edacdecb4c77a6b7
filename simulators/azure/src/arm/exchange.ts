import type { JsonObject, JsonValue } from "@keelson/base";
import type { OperationOutcome } from "./operations.ts";
import type { Principal } from "./principal.ts";

/** Parsed and authenticated request to ARM. */
export interface ArmRequest {
  readonly method: string;
  /** Decoded, without empty or dotted segments. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly body: JsonValue | undefined;
  /**
   * `https://host:port` as called by the client, without a trailing slash. Links in responses start with it.
   */
  readonly baseUrl: string;
  readonly principal: Principal;
  /** Effect of faults on the operation that the request begins. */
  readonly outcome?: OperationOutcome;
  /** Resources of a resource provider for lists of all resources, or its events for the activity log. */
  readonly foreign?: readonly JsonObject[];
}

export interface ArmResponse {
  readonly status: number;
  readonly body?: JsonValue;
  /** JSON text of a resource provider, passed to the client byte for byte. `body` is its value. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Service that sends the response, and selects its headers. Default: Azure Resource Manager. */
  readonly service?: "graph";
}

export function ok(body: JsonValue): ArmResponse {
  return { status: 200, body };
}

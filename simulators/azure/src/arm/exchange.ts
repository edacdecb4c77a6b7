import type { JsonObject, JsonValue } from "@keelson/base";
import type { OperationOutcome } from "./operations.ts";
import type { Principal } from "./principal.ts";

/** Parsed and authenticated request to ARM. */
export interface ArmRequest {
  readonly method: string;
  /** Decoded path segments, without empty or dot segments. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly body: JsonValue | undefined;
  /**
   * Base URL to which the client sent the request: `https://host:port` without a trailing slash. Links in responses start with
   * this URL.
   */
  readonly baseUrl: string;
  readonly principal: Principal;
  /** Injected fault for the operation that the request starts. */
  readonly outcome?: OperationOutcome;
  /**
   * Data of an external resource provider: its resources if the request lists all resources, or its events if the request reads
   * the activity log.
   */
  readonly foreign?: readonly JsonObject[];
}

export interface ArmResponse {
  readonly status: number;
  readonly body?: JsonValue;
  /** JSON response of an external resource provider, unmodified. `body` is the parsed form of this text. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Service that sends the response. The response headers depend on the service. Default: Azure Resource Manager. */
  readonly service?: "graph";
}

export function ok(body: JsonValue): ArmResponse {
  return { status: 200, body };
}

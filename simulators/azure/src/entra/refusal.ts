import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import type { ArmResponse } from "../arm/exchange.ts";

/** Error of a token request. */
export interface Refusal {
  readonly status: number;
  /** OAuth 2.0 error code, for example `invalid_client`. */
  readonly error: string;
  /** Entra error number, without the prefix `AADSTS`. */
  readonly code: number;
  readonly text: string;
}

/** Creates a token request error (RFC 6749). Default status: 400. */
export function refusal(error: string, code: number, text: string, status = 400): Refusal {
  return { status, error, code, text };
}

/** Returns the error response in Entra's format. */
export function refuse({ clock }: { readonly clock: Clock }, reason: Refusal): ArmResponse {
  const { status, error, code, text } = reason;
  const [trace_id, correlation_id] = [randomUUID(), randomUUID()];
  const timestamp = clock
    .now()
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
  const details = `Trace ID: ${trace_id} Correlation ID: ${correlation_id} Timestamp: ${timestamp}`;
  return {
    status,
    headers: { "cache-control": "no-store", pragma: "no-cache" },
    body: {
      error,
      error_description: `AADSTS${code}: ${text} ${details}`,
      error_codes: [code],
      timestamp,
      trace_id,
      correlation_id,
    },
  };
}

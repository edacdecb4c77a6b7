import { isPlainObject } from "@keelson/base";
import { portalErrors } from "../errors.ts";

/** Envelope of the Prometheus HTTP API (prometheus.io/docs: HTTP API, Format overview). */
export interface PrometheusEnvelope {
  readonly status: "success" | "error";
  readonly data?: unknown;
  readonly errorType?: string;
  readonly error?: string;
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
}

/** Statuses of the API. A cluster that responds with a different one is not Prometheus. */
const statuses = new Set([200, 204, 400, 404, 405, 422, 500, 503]);

/**
 * Parses a response of a cluster's Prometheus and keeps only the fields of the API, so that no other content of the
 * cluster reaches a browser.
 * @throws ClusterResponseInvalid
 */
export function parsePrometheusResponse(statusCode: number | undefined, body: string): PrometheusEnvelope {
  if (statusCode === undefined || !statuses.has(statusCode))
    throw invalid(`its status ${statusCode} is none of the Prometheus API`);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw invalid("it is not JSON", error);
  }
  if (!isPlainObject(value)) throw invalid("it is not a JSON object");
  const { status, data, errorType, error, warnings, infos } = value;
  if (status !== "success" && status !== "error") throw invalid("`status` is neither success nor error");
  return {
    status,
    ...(data === undefined ? {} : { data }),
    ...optional("errorType", errorType, isString),
    ...optional("error", error, isString),
    ...optional("warnings", warnings, isStrings),
    ...optional("infos", infos, isStrings),
  };
}

function optional<K extends string, T>(
  name: K,
  value: unknown,
  isValid: (value: unknown) => value is T,
): { readonly [P in K]?: T } {
  if (value === undefined) return {};
  if (!isValid(value)) throw invalid(`\`${name}\` has the wrong type`);
  return { [name]: value } as { readonly [P in K]: T };
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isString);
}

function invalid(reason: string, cause?: unknown): Error {
  return portalErrors.ClusterResponseInvalid(
    `The response of the cluster's Prometheus is invalid: ${reason}.`,
    cause === undefined ? {} : { cause },
  );
}

import type { IncomingMessage } from "node:http";
import { isPlainObject } from "@keelson/base";
import { type KubeClient, KubeError, wholeValue } from "@keelson/kube";
import { portalErrors } from "../errors/portal-errors.ts";

/** Response envelope of the Prometheus HTTP API (prometheus.io/docs: HTTP API, Format overview). */
export interface PrometheusEnvelope {
  readonly status: "success" | "error";
  readonly data?: unknown;
  readonly errorType?: string;
  readonly error?: string;
  readonly warnings?: readonly string[];
  readonly infos?: readonly string[];
}

/** Status codes that the Prometheus API uses. A response with any other status does not come from Prometheus. */
const statuses = new Set([200, 204, 400, 404, 405, 422, 500, 503]);

const fields = { status: true, data: true, errorType: true, error: true, warnings: true, infos: true };

/** Paths of arrays in responses, by request. Their size depends on the cluster, so they may be large. */
const itemPaths: readonly (readonly [request: RegExp, path: readonly string[]])[] = [
  [/^\/api\/v1\/query(_range)?\b/, ["data", "result"]],
  [/^\/api\/v1\/targets\b(?!\/)/, ["data", "activeTargets"]],
  [/^\/api\/v1\/rules\b/, ["data", "groups"]],
  [/^\/api\/v1\/alerts\b/, ["data", "alerts"]],
];

/**
 * Reads a Prometheus response of a cluster within the client's limits. Keeps only the fields of the Prometheus API, so that no
 * other content of the cluster reaches a browser.
 * @throws ClusterResponseInvalid; KubeError TooLarge
 */
export async function readPrometheusResponse(
  kube: KubeClient,
  response: IncomingMessage,
  target: string,
  signal: AbortSignal,
): Promise<PrometheusEnvelope> {
  const items = itemPaths.find(([request]) => request.test(target))?.[1] ?? ["data"];
  try {
    const request = `GET ${target.split("?", 1)[0]} of Prometheus`;
    const parsed = await kube.readJson(response, request, { fields, items }, signal);
    return prometheusEnvelope(response.statusCode, wholeValue(parsed, items));
  } catch (error) {
    if (error instanceof KubeError && error.reason === "InvalidAnswer")
      throw invalid("it is not JSON", error);
    throw error;
  }
}

/**
 * Parses a response.
 * @throws ClusterResponseInvalid
 */
export function prometheusEnvelope(statusCode: number | undefined, value: unknown): PrometheusEnvelope {
  if (statusCode === undefined || !statuses.has(statusCode))
    throw invalid(`its status ${statusCode} is none of the Prometheus API`);
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

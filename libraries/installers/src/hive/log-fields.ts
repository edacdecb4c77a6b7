import { parseResourceId } from "@keelson/arm";
import { isPlainObject, tryParseJson } from "@keelson/base";
import type { CorrelationData } from "@keelson/model";

/**
 * Annotation with additional log fields as a JSON object of strings. Hive and its installers add the fields to each of their log
 * lines.
 */
export const logFieldsAnnotation = "hive.openshift.io/additional-log-fields";

const correlationFields = [
  "correlation_id",
  "client_request_id",
  "request_id",
  "client_principal_name",
] as const;

/** Returns the log fields that identify the cluster and the request. */
export function logFields(resourceId: string, correlation: CorrelationData | undefined): string {
  const id = parseResourceId(resourceId);
  const ofCluster = {
    resource_id: resourceId.toLowerCase(),
    subscription_id: id?.subscriptionId.toLowerCase() ?? "",
    resource_group: id?.resourceGroup.toLowerCase() ?? "",
    resource_name: id?.path.at(-1)?.[1].toLowerCase() ?? "",
  };
  if (!correlation) return JSON.stringify(ofCluster);
  const { correlationId = "", clientRequestId = "", requestId, clientPrincipalName = "" } = correlation;
  const values = [correlationId, clientRequestId, requestId, clientPrincipalName];
  const ofRequest = Object.fromEntries(correlationFields.map((name, index) => [name, values[index] ?? ""]));
  return JSON.stringify({ ...ofRequest, ...ofCluster });
}

/**
 * Returns the annotation without the fields that identify a request. Undefined if the annotation contains none of these fields or
 * is not a JSON object.
 */
export function withoutRequest(annotation: string): string | undefined {
  const fields = tryParseJson(annotation);
  if (!isPlainObject(fields)) return undefined;
  const names = Object.keys(fields);
  const kept = names.filter((name) => !correlationFields.some((each) => each === name));
  if (kept.length === names.length) return undefined;
  return JSON.stringify(Object.fromEntries(kept.map((name) => [name, fields[name]])));
}

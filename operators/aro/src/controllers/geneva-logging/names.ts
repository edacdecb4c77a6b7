export const namespace = "openshift-azure-logging";
export const accountName = "geneva";
export const configName = "otel-config";

export const exporterRoles = ["master", "worker"] as const;
export type ExporterRole = (typeof exporterRoles)[number];

/** Name of a role's DaemonSet and value of its pods' label `app`. */
export function exporterName(role: ExporterRole): string {
  return `otel-exporter-${role}`;
}
/** ConfigMap key of the role's collector configuration. */
export function configKey(role: ExporterRole): string {
  return `${role}-config.yaml`;
}

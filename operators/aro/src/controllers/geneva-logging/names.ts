export const namespace = "openshift-azure-logging";
export const accountName = "geneva";
export const configName = "otel-config";

export const exporterRoles = ["master", "worker"] as const;
export type ExporterRole = (typeof exporterRoles)[number];

/** Returns the name of a role's DaemonSet. It is also the value of the pod label `app`. */
export function exporterName(role: ExporterRole): string {
  return `otel-exporter-${role}`;
}
/** Returns the ConfigMap key of the role's collector configuration. */
export function configKey(role: ExporterRole): string {
  return `${role}-config.yaml`;
}

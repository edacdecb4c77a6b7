export const namespace = "openshift-azure-logging";
export const accountName = "geneva";
export const configName = "otel-config";

export const exporterRoles = ["master", "worker"] as const;
export type ExporterRole = (typeof exporterRoles)[number];

/** Names the DaemonSet of a role, and the label `app` of its pods. */
export function exporterName(role: ExporterRole): string {
  return `otel-exporter-${role}`;
}
/** Of the role's collector, in the ConfigMap. */
export function configKey(role: ExporterRole): string {
  return `${role}-config.yaml`;
}

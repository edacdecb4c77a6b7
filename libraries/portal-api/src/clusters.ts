import { type Static, Type } from "typebox";
import { clusterHealthSchema } from "./health.ts";
import { closed } from "./shape.ts";

const text = Type.String();
/** RFC 3339 time, or `Unknown`. */
const timeOrUnknown = Type.String({ description: "RFC 3339, or `Unknown`" });

/** One cluster in the list of all clusters. */
export const clusterSummarySchema = closed({
  key: Type.String({ description: "ID of the cluster document. The list is sorted by this ID" }),
  name: text,
  subscription: text,
  resourceGroup: text,
  resourceId: text,
  provisioningState: text,
  failedProvisioningState: text,
  failedprovisioningState: Type.String({ description: "the original's spelling" }),
  version: text,
  createdAt: timeOrUnknown,
  lastModified: timeOrUnknown,
  provisionedBy: text,
  location: Type.String({ description: "Azure region" }),
  health: clusterHealthSchema,
});
export type ClusterSummary = Static<typeof clusterSummarySchema>;

export const clusterListSchema = Type.Array(clusterSummarySchema);

/** Details of a cluster, from its database document. Unknown values are empty strings. */
export const clusterDetailSchema = closed({
  name: text,
  subscription: text,
  resourceGroup: text,
  resourceId: Type.String({ description: "lower case" }),
  location: text,
  provisioningState: text,
  failedProvisioningState: text,
  lastProvisioningState: text,
  lastAdminUpdateError: text,
  version: text,
  createdAt: timeOrUnknown,
  createdBy: text,
  lastModified: timeOrUnknown,
  lastModifiedBy: text,
  provisionedBy: text,
  architectureVersion: Type.String({ description: "`0`, `1`, `2`" }),
  infraId: text,
  apiServerVisibility: text,
  apiServerUrl: text,
  consoleUrl: text,
  installStatus: Type.String({ description: "`Installed`, or the phase of the install" }),
  maintenanceState: text,
  exceededLimits: Type.String({
    description:
      "limits that responses of the cluster exceeded in the last hour, with the readers. Empty if no limit was exceeded",
  }),
  health: clusterHealthSchema,
  creator: Type.String({ description: "person or application whose request created the cluster" }),
  tags: Type.Record(text, text),
  managedResourceGroup: Type.String({ description: "resource ID" }),
  domain: text,
  operatorVersion: Type.String({ description: "version that administrators set for the ARO operator" }),
  credential: Type.String({ description: "`service principal` or `managed identities`" }),
  clientId: Type.String({ description: "client ID of the service principal" }),
  consoleReachable: Type.Boolean({ description: "false for a private ingress and a simulated cluster" }),
  creationResumable: Type.Boolean({ description: "true if a repeated request resumes the failed creation" }),
  network: closed({
    apiServerIp: text,
    ingressVisibility: text,
    ingressIp: text,
    podCidr: text,
    serviceCidr: text,
    plugin: text,
    outboundType: text,
    preconfiguredNsg: text,
    privateEndpointIp: text,
  }),
  masters: closed({ vmSize: text, subnet: Type.String({ description: "resource ID" }) }),
  workers: Type.Array(
    closed({
      name: text,
      vmSize: text,
      diskSizeGB: Type.Integer(),
      count: Type.Integer(),
      subnet: Type.String({ description: "resource ID" }),
    }),
  ),
});
export type ClusterDetail = Static<typeof clusterDetailSchema>;

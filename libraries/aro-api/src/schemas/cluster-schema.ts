import { type Static, Type } from "typebox";
import { statusConditions } from "./status-conditions.ts";

const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/**
 * Schema of the Cluster's spec. Like the original schema, it accepts every value: all fields are optional, and there are no
 * enumerations.
 */
export const clusterSpec = Type.Object(
  {
    resourceId: text("ARM ID of the cluster"),
    clusterResourceGroupId: text("ARM ID of the resource group that holds the cluster's resources"),
    domain: text("full domain of the cluster"),
    acrDomain: text("domain of the service's container registry"),
    azEnvironment: text("name of the Azure cloud: AzurePublicCloud, AzureUSGovernmentCloud"),
    location: text("Azure region"),
    infraId: text("prefix of the names of the cluster's resources"),
    storageSuffix: text("suffix of the names of the cluster's storage accounts"),
    architectureVersion: Type.Optional(
      Type.Integer({
        description: "0: load balancers and security groups of its first form; 1: of the second",
      }),
    ),
    genevaLogging: Type.Optional(Type.Object({}, { description: "obsolete; nothing reads it" })),
    internetChecker: Type.Optional(
      Type.Object(
        { urls: texts("URLs that nodes must reach") },
        { description: "what the check of outgoing connections tries" },
      ),
    ),
    vnetId: text("ARM ID of the virtual network"),
    apiIntIP: text("IP address of the internal load balancer of the API server"),
    ingressIP: text("IP address of the default ingress"),
    gatewayDomains: texts("domains reached through the gateway; some: outgoing traffic is locked down"),
    gatewayPrivateEndpointIP: text("IP address of the private endpoint of the gateway"),
    gatewayTelemetryDomain: text("domain under which the gateway takes logs"),
    banner: Type.Optional(
      Type.Object(
        { content: text("empty, or ContactSupport") },
        { description: "the banner of the web console" },
      ),
    ),
    clusterSubnets: texts("ARM IDs of the subnets in the document of the cluster"),
    serviceSubnets: texts("ARM IDs of the service's subnets that reach the cluster's storage accounts"),
    operatorflags: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: "switches of the operator's controllers" }),
    ),
  },
  { description: "facts of the cluster that the operator works with; the service writes them" },
);

export const clusterStatus = Type.Object(
  {
    operatorVersion: text("version of the operator that last wrote this status"),
    conditions: statusConditions,
    redHatKeysPresent: texts("Red Hat registries for which the cluster's pull secret has a key"),
  },
  { description: "what the operator found" },
);

export type ClusterSpec = Static<typeof clusterSpec>;
export type ClusterStatus = Static<typeof clusterStatus>;

import { isPlainObject, type JsonObject, type JsonValue, Secret } from "@keelson/base";
import { findApiVersion } from "../api-versions/api-versions.ts";
import type { ApiVersion } from "../api-versions/version.ts";
import type {
  ManagedServiceIdentity,
  OpenShiftCluster,
  PlatformWorkloadIdentityProfile,
} from "../cluster/open-shift-cluster.ts";
import type { SchemaNode } from "../fields/schema.ts";
import { applyClusterRequest, type ClusterRequest } from "../validation/put-or-patch-request.ts";

/** Requests and clusters for tests. They are valid in every version. Each test changes one property. */
export const subscriptionId = "00000000-0000-4000-8000-000000000001";
export const resourceGroupId = `/subscriptions/${subscriptionId}/resourceGroups/Cluster`;
export const clusterUrl = {
  id: `${resourceGroupId}/providers/Microsoft.RedHatOpenShift/openShiftClusters/Cluster`,
  name: "Cluster",
  type: "Microsoft.RedHatOpenShift/openShiftClusters",
};
export const vnetId = `/subscriptions/${subscriptionId}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/vnet`;
export const clientId = "2c3b9f0e-6a47-4a0b-9a2c-6f2b8f5f3f10";
const encryption = { encryptionAtHost: "Disabled" };

export function versionNamed(name: string): ApiVersion {
  const version = findApiVersion(name);
  if (!version) throw new Error(`no API version ${name}`);
  return version;
}

/** Returns a body that creates a cluster. It has common properties and the required properties of the version. */
export function validBody(version: ApiVersion): JsonObject {
  return { location: "eastus", properties: validProperties(version) };
}

function validProperties(version: ApiVersion): JsonObject {
  const has = (path: string) => hasField(version.fields, path);
  const encrypted = has("properties.masterProfile.encryptionAtHost") ? encryption : {};
  return {
    clusterProfile: {
      domain: "cluster",
      version: "4.16.30",
      resourceGroupId: `/subscriptions/${subscriptionId}/resourceGroups/aro-Cluster`,
      pullSecret: '{"auths":{"registry.example":{"auth":"eA=="}}}',
      ...(has("properties.clusterProfile.fipsValidatedModules") ? { fipsValidatedModules: "Enabled" } : {}),
    },
    servicePrincipalProfile: { clientId, clientSecret: "first-secret" },
    networkProfile: {
      podCidr: "10.128.0.0/14",
      serviceCidr: "172.30.0.0/16",
      ...(has("properties.networkProfile.softwareDefinedNetwork")
        ? { softwareDefinedNetwork: "OVNKubernetes" }
        : {}),
    },
    masterProfile: {
      vmSize: "Standard_D8s_v3",
      subnetId: `${vnetId}/subnets/master`,
      ...encrypted,
    },
    workerProfiles: [
      {
        name: "worker",
        vmSize: "Standard_D4s_v3",
        diskSizeGB: 128,
        subnetId: `${vnetId}/subnets/worker`,
        count: 3,
        ...encrypted,
      },
    ],
    apiserverProfile: { visibility: "Public" },
    ingressProfiles: [{ name: "default", visibility: "Public" }],
  };
}

export function hasField(nodes: readonly SchemaNode[], path: string): boolean {
  return nodes.some((node) => node.field.path === path || hasField(node.members, path));
}

/** Returns a body that creates a cluster with managed identities. `version` must support managed identities. */
export function identityBody(version: ApiVersion): JsonObject {
  const identities = `/subscriptions/${subscriptionId}/resourceGroups/ids/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
  const { servicePrincipalProfile: _, ...properties } = validProperties(version);
  return {
    ...validBody(version),
    identity: { type: "UserAssigned", userAssignedIdentities: { [`${identities}/cluster`]: {} } },
    properties: {
      ...properties,
      platformWorkloadIdentityProfile: {
        platformWorkloadIdentities: {
          ingress: { resourceId: `${identities}/ingress` },
          "machine-api": { resourceId: `${identities}/machine-api` },
        },
      },
    },
  };
}

const roleSets = [
  { openShiftVersion: "4.16", operatorNames: ["machine-api", "ingress"] },
  { openShiftVersion: "4.17", operatorNames: ["machine-api", "ingress", "image-registry"] },
];

export function testRequest(
  request: Partial<ClusterRequest> & Pick<ClusterRequest, "version">,
): ClusterRequest {
  return {
    method: "PUT",
    body: validBody(request.version),
    url: clusterUrl,
    subscriptionId,
    location: "eastus",
    domain: "eastus.aroapp.io",
    defaultVersion: "4.16.30",
    isVersionEnabled: (version) => version === "4.16.30" || version === "4.19.0",
    roleSets,
    newCluster: { createdAt: "2026-01-02T03:04:05Z", createdBy: "build" },
    ...request,
  };
}

/** Returns a cluster after its creation by the backend. It contains all values that the service sets. */
export function installedCluster(version: ApiVersion, body?: JsonObject): OpenShiftCluster {
  const created = applyClusterRequest(testRequest({ version, ...(body ? { body } : {}) }));
  const { servicePrincipalProfile, platformWorkloadIdentityProfile, ...properties } = created.properties;
  const { managedServiceIdentity: identity } = created;
  const { loadBalancerProfile: balancer } = properties.networkProfile;
  return {
    ...created,
    ...(identity ? { managedServiceIdentity: filledIdentity(identity) } : {}),
    systemData: { createdBy: "someone@example.com", createdAt: "2026-01-02T03:04:05Z" },
    properties: {
      ...properties,
      provisioningState: "Succeeded",
      infraId: "cluster-x7k2p",
      consoleProfile: { url: "https://console-openshift-console.apps.cluster.eastus.aroapp.io/" },
      ...(servicePrincipalProfile
        ? { servicePrincipalProfile: { ...servicePrincipalProfile, spObjectId: "object-id" } }
        : {}),
      ...(platformWorkloadIdentityProfile
        ? { platformWorkloadIdentityProfile: filledIdentities(platformWorkloadIdentityProfile) }
        : {}),
      networkProfile: {
        ...properties.networkProfile,
        ...(balancer
          ? {
              loadBalancerProfile: { ...balancer, effectiveOutboundIps: [{ id: `${resourceGroupId}/ip` }] },
            }
          : {}),
      },
      workerProfilesStatus: properties.workerProfiles.map((worker) => ({ ...worker, count: 2 })),
      apiserverProfile: {
        ...properties.apiserverProfile,
        url: "https://api.cluster.eastus.aroapp.io:6443/",
        ip: "203.0.113.4",
        intIp: "10.0.0.4",
      },
      ingressProfiles: properties.ingressProfiles.map((ingress) => ({ ...ingress, ip: "203.0.113.5" })),
    },
  };
}

function filledIdentity(identity: ManagedServiceIdentity): ManagedServiceIdentity {
  const filled = { clientId: "identity-client", principalId: "identity-principal" };
  const keys = Object.keys(identity.userAssignedIdentities ?? {});
  return {
    ...identity,
    tenantId: "tenant",
    identityURL: "https://identity.example/",
    userAssignedIdentities: Object.fromEntries(keys.map((key) => [key, filled])),
  };
}

function filledIdentities(profile: PlatformWorkloadIdentityProfile): PlatformWorkloadIdentityProfile {
  const entries = Object.entries(profile.platformWorkloadIdentities ?? {});
  return {
    ...profile,
    platformWorkloadIdentities: Object.fromEntries(
      entries.map(([operator, { resourceId }]) => [
        operator,
        { resourceId, clientId: `${operator}-client`, objectId: `${operator}-object` },
      ]),
    ),
  };
}

/** Returns the cluster after an update without changes. */
export function updating(cluster: OpenShiftCluster): OpenShiftCluster {
  return {
    ...cluster,
    properties: {
      ...cluster.properties,
      provisioningState: "Updating",
      lastProvisioningState: cluster.properties.provisioningState,
    },
  };
}

/** Converts a GET response to a PUT body, without properties that the version rejects. */
export function sendable(version: ApiVersion, external: JsonObject): JsonObject {
  return sendableMembers(version.fields, external);
}

const acceptsEcho: ReadonlySet<string> = new Set(["ignored", "refused if changed"]);

function sendableMembers(nodes: readonly SchemaNode[], external: JsonObject): JsonObject {
  const accepted = nodes.filter(({ field: { readOnly } }) => !readOnly || acceptsEcho.has(readOnly.sent));
  const members = accepted.filter((node) => external[node.name] !== undefined);
  return Object.fromEntries(members.map((node) => [node.name, sendableValue(node, external[node.name])]));
}

function sendableValue(node: SchemaNode, value: JsonValue | undefined): JsonValue {
  if (node.field.type === "list" && Array.isArray(value)) {
    return value.map((element) => sendableMembers(node.members, element));
  }
  if (node.field.type === "object" && isPlainObject(value)) return sendableMembers(node.members, value);
  return value ?? null;
}

/** Replaces all secrets in a value by their content, because `deepEqual` treats all secrets as equal. */
export function revealed(value: unknown): unknown {
  if (value instanceof Secret) return { secret: value.reveal() };
  if (Array.isArray(value)) return value.map(revealed);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revealed(member)]));
}

import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";
import { type ApiVersion, applyClusterRequest, type OpenShiftCluster } from "@keelson/model";

export const location = "eastus";
export const subscriptionId = "00000000-0000-0000-0000-000000000001";
export const openShiftVersion = "4.16.30";
export const names = { resourceGroupName: "demo", resourceName: "demo" };

const id = `/subscriptions/${subscriptionId}/resourceGroups/demo/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo`;
const subnets = `/subscriptions/${subscriptionId}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/vnet/subnets`;
const identities = `/subscriptions/${subscriptionId}/resourceGroups/identities/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
const diskEncryptionSetId = `/subscriptions/${subscriptionId}/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/disks`;
const sameGuid = "00000000-0000-0000-0000-000000000002";
const otherGuid = "00000000-0000-0000-0000-000000000003";

/** Operators with the Azure built-in roles that they need. */
export const roles = [
  ["aro-operator", "Azure Red Hat OpenShift Service Operator", "4436bae4-7702-4c84-919b-c4069ff25ee2"],
  ["machine-api", "Azure Red Hat OpenShift Machine API Operator", "0358943c-7e01-48ba-8889-02cc51d78637"],
] as const;

/** Request with the writable fields of all versions. */
const request: JsonObject = {
  location,
  tags: { environment: "demo" },
  identity: { type: "UserAssigned", userAssignedIdentities: { [`${identities}/cluster`]: {} } },
  properties: {
    clusterProfile: {
      pullSecret: '{"auths":{"registry.example.com":{"auth":"ZXhhbXBsZTpleGFtcGxl"}}}',
      domain: "demo",
      version: openShiftVersion,
      resourceGroupId: `/subscriptions/${subscriptionId}/resourceGroups/aro-demo`,
      fipsValidatedModules: "Enabled",
    },
    servicePrincipalProfile: { clientId: sameGuid, clientSecret: "the secret of the service principal" },
    platformWorkloadIdentityProfile: {
      upgradeableTo: "4.17.10",
      platformWorkloadIdentities: Object.fromEntries(
        roles.map(([operator]) => [operator, { resourceId: `${identities}/${operator}` }]),
      ),
    },
    networkProfile: {
      softwareDefinedNetwork: "OVNKubernetes",
      podCidr: "10.128.0.0/14",
      serviceCidr: "172.30.0.0/16",
      outboundType: "Loadbalancer",
      loadBalancerProfile: { managedOutboundIps: { count: 2 } },
      preconfiguredNSG: "Disabled",
    },
    masterProfile: {
      vmSize: "Standard_D8s_v3",
      subnetId: `${subnets}/demo-master`,
      encryptionAtHost: "Enabled",
      diskEncryptionSetId,
    },
    workerProfiles: [
      {
        name: "worker",
        vmSize: "Standard_D4s_v3",
        diskSizeGB: 128,
        subnetId: `${subnets}/demo-worker`,
        count: 3,
        encryptionAtHost: "Enabled",
        diskEncryptionSetId,
      },
    ],
    apiserverProfile: { visibility: "Public" },
    ingressProfiles: [{ name: "default", visibility: "Public" }],
  },
};

/** Returns a request with all writable fields of a version. Uses managed identities if the version supports them. */
export function exampleRequest({ fields }: ApiVersion): JsonObject {
  const known = membersIn(fields, request);
  const { servicePrincipalProfile: _, ...properties } = isPlainObject(known.properties)
    ? known.properties
    : {};
  return known.identity === undefined ? known : { ...known, properties };
}

/** Returns a PATCH body with all fields that a version can change. */
export function exampleChange({ fields }: ApiVersion): JsonObject {
  const change = {
    tags: { environment: "production" },
    properties: { networkProfile: { loadBalancerProfile: { managedOutboundIps: { count: 4 } } } },
  };
  return membersIn(fields, change);
}

type Fields = ApiVersion["fields"];

/** Returns the value without fields that the version does not have. Empty objects are removed too. */
function membersIn(fields: Fields, value: JsonObject): JsonObject {
  const entries = fields.flatMap(({ name, field, members }): [string, JsonValue][] => {
    const member = value[name];
    if (member === undefined) return [];
    if (field.type === "list" && Array.isArray(member))
      return [[name, member.map((element: JsonObject) => membersIn(members, element))]];
    if (field.type !== "object" || !isPlainObject(member)) return [[name, member]];
    const inner = membersIn(members, member as JsonObject);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(entries);
}

/** Settings of the example service with the location of the cluster. */
const service = {
  url: { id, name: names.resourceName, type: "Microsoft.RedHatOpenShift/openShiftClusters" },
  subscriptionId,
  location,
  domain: `${location}.aroapp.io`,
  isVersionEnabled: (wanted: string) => wanted === openShiftVersion,
  roleSets: ["4.16", "4.17"].map((minor) => ({
    openShiftVersion: minor,
    operatorNames: roles.map(([operator]) => operator),
  })),
  newCluster: { createdAt: "2026-01-02T03:04:05Z", createdBy: "keelson" },
};

/**
 * Returns the cluster in state `Creating` after the example request.
 * @throws Error if the version rejects the request
 */
export function createdCluster(version: ApiVersion): OpenShiftCluster {
  const cluster = applyClusterRequest({ ...service, version, method: "PUT", body: exampleRequest(version) });
  const by = {
    createdBy: "someone@example.com",
    createdByType: "User",
    createdAt: "2026-01-02T03:04:05Z",
  } as const;
  const { createdBy: lastModifiedBy, createdByType: lastModifiedByType, createdAt: lastModifiedAt } = by;
  return { ...cluster, systemData: { ...by, lastModifiedBy, lastModifiedByType, lastModifiedAt } };
}

/** Returns the cluster after a PATCH request, in state `Updating` or under maintenance. */
export function changedCluster(
  version: ApiVersion,
  body: JsonObject,
  current = readyCluster(version),
): OpenShiftCluster {
  return applyClusterRequest({ ...service, version, method: "PATCH", current, body });
}

/** Returns the cluster after its creation, with all properties that the service sets. */
export function readyCluster(version: ApiVersion): OpenShiftCluster {
  const { properties, managedServiceIdentity, ...resource } = createdCluster(version);
  const { platformWorkloadIdentityProfile, clusterProfile, networkProfile } = properties;
  const ids = { clientId: sameGuid, principalId: otherGuid };
  return {
    ...resource,
    ...(managedServiceIdentity
      ? {
          managedServiceIdentity: {
            ...managedServiceIdentity,
            tenantId: "00000000-0000-0000-0000-000000000004",
            userAssignedIdentities: { [`${identities}/cluster`]: ids },
          },
        }
      : {}),
    properties: {
      ...properties,
      provisioningState: "Succeeded",
      clusterProfile: { ...clusterProfile, ...(managedServiceIdentity ? { oidcIssuer } : {}) },
      consoleProfile: { url: "https://console-openshift-console.apps.demo.eastus.aroapp.io/" },
      ...(platformWorkloadIdentityProfile
        ? {
            platformWorkloadIdentityProfile: {
              ...platformWorkloadIdentityProfile,
              platformWorkloadIdentities: Object.fromEntries(
                roles.map(([operator]) => [
                  operator,
                  { resourceId: `${identities}/${operator}`, clientId: sameGuid, objectId: otherGuid },
                ]),
              ),
            },
          }
        : {}),
      networkProfile: {
        ...networkProfile,
        loadBalancerProfile: {
          ...networkProfile.loadBalancerProfile,
          effectiveOutboundIps: ["demo-pip-v4", "demo-outbound-1"].map((name) => ({
            id: `/subscriptions/${subscriptionId}/resourceGroups/aro-demo/providers/Microsoft.Network/publicIPAddresses/${name}`,
          })),
        },
      },
      workerProfilesStatus: properties.workerProfiles.flatMap((worker) =>
        ["eastus1", "eastus2", "eastus3"].map((zone) => ({
          ...worker,
          name: `demo-x7k2p-worker-${zone}`,
          count: 1,
        })),
      ),
      apiserverProfile: {
        ...properties.apiserverProfile,
        url: "https://api.demo.eastus.aroapp.io:6443/",
        ip: "203.0.113.4",
      },
      ingressProfiles: properties.ingressProfiles.map((ingress) => ({ ...ingress, ip: "203.0.113.5" })),
    },
  };
}

const oidcIssuer = "https://eastus.oic.aro.example.com/00000000-0000-0000-0000-000000000005";

import { adminVersion, apiVersions, type OpenShiftCluster, toExternal } from "@keelson/model";
import {
  changedCluster,
  names,
  openShiftVersion,
  readyCluster,
  roles,
  subscriptionId,
} from "./example-cluster.ts";
import type { ExampleMaterial } from "./examples.ts";

/** Returns the values for the examples of API version `admin`. */
export function administratorsMaterial(): ExampleMaterial {
  const cluster = maintainedCluster();
  const change = { operatorFlagsMergeStrategy: "merge", properties: maintenance };
  const read = toExternal(adminVersion, cluster, "read");
  const answered = toExternal(adminVersion, changedCluster(adminVersion, change, cluster), "write");
  const named = { name: openShiftVersion, type: "Microsoft.RedHatOpenShift/OpenShiftVersion", ...version };
  const roleSetResponse = {
    name: "4.16",
    type: "Microsoft.RedHatOpenShift/PlatformWorkloadIdentityRoleSet",
    ...roleSet,
  };
  return {
    parameters: { "api-version": adminVersion.name, subscriptionId, ...names, vmRole: "master" },
    bodies: { Clusters_Update: change, Versions_Put: version, RoleSets_Put: roleSet },
    responses: {
      Clusters_Get: { 200: { body: read } },
      Clusters_List: { 200: { body: { value: [read] } } },
      Clusters_Update: { 200: { headers: polling, body: answered } },
      Versions_List: { 200: { body: { value: [named] } } },
      Versions_Put: { 200: { body: named }, 201: { body: named } },
      RoleSets_List: { 200: { body: { value: [roleSetResponse] } } },
      RoleSets_Put: { 200: { body: roleSetResponse }, 201: { body: roleSetResponse } },
      VmSizes_List: {
        200: { body: { Standard_D8s_v5: { coreCount: 8, family: "standardDSv5Family" } } },
      },
    },
  };
}

const maintenance = { maintenanceTask: "OperatorUpdate", operatorFlags: { "aro.banner.enabled": "true" } };

const polling = {
  "Azure-AsyncOperation": `https://localhost:8443/subscriptions/${subscriptionId}/providers/microsoft.redhatopenshift/locations/eastus/operationsstatus/00000000-0000-0000-0000-000000000006?api-version=admin`,
};

const version = {
  properties: {
    version: openShiftVersion,
    openShiftPullspec: `registry.example.com/release:${openShiftVersion}`,
    installerPullspec: "registry.example.com/installer:4.16",
    machineImages: {
      hyperVGen1: {
        publisher: "azureopenshift",
        offer: "aro4",
        sku: "aro_416",
        version: "416.94.20241021",
      },
    },
    enabled: true,
    default: true,
  },
};

const roleSet = {
  properties: {
    openShiftVersion: "4.16",
    platformWorkloadIdentityRoles: roles.map(([operatorName, roleDefinitionName, guid]) => ({
      operatorName,
      roleDefinitionName,
      roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${guid}`,
      serviceAccounts: [`system:serviceaccount:openshift-${operatorName}:${operatorName}`],
      secretLocation: { namespace: `openshift-${operatorName}`, name: "azure-cloud-credentials" },
    })),
  },
};

/** Returns a cluster after its first maintenance, with properties that only administrators see. */
function maintainedCluster(): OpenShiftCluster {
  const newest = apiVersions.at(-1);
  if (!newest) throw new Error("the service serves no version");
  const cluster = readyCluster(newest);
  return {
    ...cluster,
    properties: {
      ...cluster.properties,
      maintenanceState: "None",
      infraId: "demo-x7k2p",
      storageSuffix: "x7k2pabcde",
    },
  };
}

import type { JsonObject } from "@keelson/base";
import { type ApiVersion, toExternal } from "@keelson/model";
import {
  changedCluster,
  createdCluster,
  exampleChange,
  exampleRequest,
  location,
  names,
  openShiftVersion,
  readyCluster,
  roles,
  subscriptionId,
} from "./example-cluster.ts";
import type { ExampleMaterial } from "./examples.ts";

/** Returns the values for the examples of a public API version. */
export function customersMaterial(version: ApiVersion): ExampleMaterial {
  return {
    parameters: {
      "api-version": version.name,
      subscriptionId,
      location,
      ...names,
      openShiftVersion,
      openShiftMinorVersion: "4.16",
    },
    bodies: {
      OpenShiftClusters_CreateOrUpdate: exampleRequest(version),
      OpenShiftClusters_Update: exampleChange(version),
    },
    responses: responsesOf(version),
  };
}

function responsesOf(version: ApiVersion): ExampleMaterial["responses"] {
  const read = toExternal(version, readyCluster(version), "read");
  const changed = (body: JsonObject) => toExternal(version, changedCluster(version, body), "write");
  const credentials = {
    200: { body: { kubeadminUsername: "kubeadmin", kubeadminPassword: "aaaaa-bbbbb-ccccc-ddddd" } },
  };
  const openShift = namedSince2024(version, "OpenShiftVersion", openShiftVersion, {
    version: openShiftVersion,
  });
  const roleSet = namedSince2024(version, "PlatformWorkloadIdentityRoleSet", "4.16", {
    openShiftVersion: "4.16",
    platformWorkloadIdentityRoles: roles.map(([operatorName, roleDefinitionName, guid]) => ({
      operatorName,
      roleDefinitionName,
      roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${guid}`,
    })),
  });
  return {
    Operations_List: { 200: { body: { value: [operation] } } },
    OpenShiftClusters_Get: { 200: { body: read } },
    OpenShiftClusters_List: { 200: { body: { value: [read] } } },
    OpenShiftClusters_ListByResourceGroup: { 200: { body: { value: [read] } } },
    OpenShiftClusters_CreateOrUpdate: {
      200: { headers: polling(version, "status"), body: changed({ tags: { environment: "demo" } }) },
      201: {
        headers: polling(version, "status"),
        body: toExternal(version, createdCluster(version), "write"),
      },
    },
    OpenShiftClusters_Update: {
      200: { headers: polling(version, "status"), body: changed(exampleChange(version)) },
    },
    OpenShiftClusters_Delete: { 202: { headers: polling(version, "status", "results") }, 204: {} },
    OpenShiftClusters_ListAdminCredentials: {
      200: { body: { kubeconfig: Buffer.from(kubeconfig).toString("base64") } },
    },
    OpenShiftClusters_ListCredentials: credentials,
    OpenShiftClusters_Credentials: credentials,
    OpenShiftVersions_Get: { 200: { body: openShift } },
    OpenShiftVersions_List: { 200: { body: { value: [openShift] } } },
    PlatformWorkloadIdentityRoleSet_Get: { 200: { body: roleSet } },
    PlatformWorkloadIdentityRoleSets_List: { 200: { body: { value: [roleSet] } } },
  };
}

const operation = {
  name: "Microsoft.RedHatOpenShift/openShiftClusters/read",
  display: {
    provider: "Azure Red Hat OpenShift",
    resource: "openShiftClusters",
    operation: "Read OpenShift cluster",
  },
  origin: "user,system",
};

const kubeconfig = "apiVersion: v1\nkind: Config\n";

function namedSince2024(version: ApiVersion, type: string, name: string, properties: JsonObject): JsonObject {
  if (version.name < "2024-08-12-preview") return { properties };
  return { name, type: `Microsoft.RedHatOpenShift/${type}`, properties };
}

/** Returns the response headers that clients use to poll an operation. */
function polling(version: ApiVersion, ...kinds: readonly ("status" | "results")[]): Record<string, string> {
  const scope = `https://management.azure.com/subscriptions/${subscriptionId}/providers/microsoft.redhatopenshift/locations/${location}`;
  const header = { status: "Azure-AsyncOperation", results: "Location" };
  const path = { status: "operationsstatus", results: "operationresults" };
  const url = (kind: "status" | "results") =>
    `${scope}/${path[kind]}/00000000-0000-0000-0000-000000000006?api-version=${version.name}`;
  return Object.fromEntries(kinds.map((kind) => [header[kind], url(kind)]));
}

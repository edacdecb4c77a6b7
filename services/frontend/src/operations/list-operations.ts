import { providerNamespace } from "@keelson/arm";
import { paths } from "../http/messages/paths.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";

interface Operation {
  readonly name: string;
  readonly resource: string;
  readonly operation: string;
}

const operations: readonly Operation[] = [
  {
    name: "locations/operationresults/read",
    resource: "locations/operationresults",
    operation: "Read operation results",
  },
  {
    name: "locations/operationsstatus/read",
    resource: "locations/operationsstatus",
    operation: "Read operations status",
  },
  { name: "operations/read", resource: "operations", operation: "Read operations" },
  { name: "openShiftClusters/read", resource: "openShiftClusters", operation: "Read OpenShift cluster" },
  { name: "openShiftClusters/write", resource: "openShiftClusters", operation: "Write OpenShift cluster" },
  { name: "openShiftClusters/delete", resource: "openShiftClusters", operation: "Delete OpenShift cluster" },
  {
    name: "openShiftClusters/listCredentials/action",
    resource: "openShiftClusters",
    operation: "List credentials of an OpenShift cluster",
  },
  {
    name: "openShiftClusters/listAdminCredentials/action",
    resource: "openShiftClusters",
    operation: "List Admin Kubeconfig of an OpenShift cluster",
  },
  {
    name: "openShiftClusters/detectors/read",
    resource: "openShiftClusters",
    operation: "Get OpenShift Cluster Detector",
  },
  {
    name: "locations/listPlatformWorkloadIdentityRoleSets/read",
    resource: "listPlatformWorkloadIdentityRoleSets",
    operation: "Lists all PlatformWorkloadIdentityRoleSets available in the specified location",
  },
  {
    name: "locations/openshiftVersions/read",
    resource: "openshiftVersions",
    operation: "Lists all OpenShift versions available to install in the specified location",
  },
];

const body = {
  value: operations.map(({ name, resource, operation }) => ({
    name: `${providerNamespace}/${name}`,
    display: { provider: "Azure Red Hat OpenShift", resource, operation },
    origin: "user,system",
  })),
};

/**
 * Lists the operations that the resource provider supports. The list is the same for all API versions, including unknown
 * versions. Azure Resource Manager merges it with the lists of other resource providers.
 */
export const listOperations: Route = {
  method: "GET",
  path: paths.operations,
  versions: uncheckedVersion,
  handle: () => ({ status: 200, body }),
};

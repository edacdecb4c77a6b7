import { condition, graph, step } from "@keelson/workflow";
import type { ClusterContext } from "../context.ts";
import { markBillingForDeletion } from "../steps/billing/billing-record.ts";
import { deleteCertificates } from "../steps/control-plane/certificates.ts";
import { deleteACRToken } from "../steps/credentials/registry-token.ts";
import { deleteOwnRoleDefinitions, deleteRoleAssignments } from "../steps/identity/role-assignments.ts";
import { forgetInstallation } from "../steps/install/bootstrap.ts";
import { hiveDeleteResources } from "../steps/install/hive.ts";
import { deleteDNS } from "../steps/network/dns.ts";
import { deleteGateway, gatewayForgotten } from "../steps/private-link/gateway.ts";
import { deletePrivateEndpoint } from "../steps/private-link/private-endpoint.ts";
import { deleteLevel, deleteResourceGroup } from "../steps/removal/delete-resources.ts";
import { restoreResourceGroup } from "../steps/resource-group/resource-group.ts";
import { minutesMs } from "./timeouts.ts";

/**
 * Removes what the cluster owns, and nothing else (Azure/ARO-RP pkg/cluster/delete.go): each step first asks
 * whether the record or the group says that it is this cluster's.
 */
export const deleteGraph = graph<ClusterContext>("delete", [
  step({ name: "ensureResourceGroup", run: restoreResourceGroup }),
  step({ name: "deleteDNS", needs: ["ensureResourceGroup"], run: deleteDNS }),
  step({ name: "deletePrivateEndpoint", needs: ["ensureResourceGroup"], run: deletePrivateEndpoint }),
  step({ name: "deleteRoleAssignments", needs: ["deleteDNS"], run: deleteRoleAssignments }),
  step({ name: "deleteRoleDefinitions", needs: ["deleteRoleAssignments"], run: deleteOwnRoleDefinitions }),
  step({ name: "deleteGateway", needs: ["deleteRoleDefinitions"], run: deleteGateway }),
  condition({
    name: "gatewayForgotten",
    needs: ["deleteGateway"],
    until: gatewayForgotten,
    everyMs: 15_000,
    timeoutMs: 5 * minutesMs,
  }),
  step({
    name: "deleteVirtualMachines",
    needs: ["deletePrivateEndpoint", "gatewayForgotten"],
    weight: 3,
    run: deleteLevel(-4),
  }),
  step({ name: "deletePrivateLinkServices", needs: ["deleteVirtualMachines"], run: deleteLevel(-3) }),
  step({ name: "deleteGalleryVersions", needs: ["deletePrivateLinkServices"], run: deleteLevel(-2) }),
  step({ name: "deleteNetworkInterfaces", needs: ["deleteGalleryVersions"], run: deleteLevel(-1) }),
  step({ name: "deleteOtherResources", needs: ["deleteNetworkInterfaces"], weight: 2, run: deleteLevel(0) }),
  step({ name: "deleteNetworkSecurityGroups", needs: ["deleteOtherResources"], run: deleteLevel(1) }),
  step({
    name: "deleteResourceGroup",
    needs: ["deleteNetworkSecurityGroups"],
    weight: 2,
    run: deleteResourceGroup,
  }),
  step({ name: "deleteACRToken", needs: ["deleteResourceGroup"], run: deleteACRToken }),
  step({ name: "deleteCertificates", needs: ["deleteResourceGroup"], run: deleteCertificates }),
  step({
    name: "forgetInstallation",
    needs: ["deleteACRToken", "deleteCertificates"],
    run: forgetInstallation,
  }),
  step({ name: "hiveDeleteResources", needs: ["forgetInstallation"], run: hiveDeleteResources }),
  step({ name: "markBillingForDeletion", needs: ["hiveDeleteResources"], run: markBillingForDeletion }),
]);

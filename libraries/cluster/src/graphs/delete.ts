import { graph } from "@keelson/workflow";
import { markBillingForDeletion } from "../billing/billing-steps.ts";
import type { ClusterContext } from "../context/context.ts";
import { deleteCertificates } from "../control-plane/certificates.ts";
import { deleteACRToken } from "../credentials/registry-token.ts";
import { deleteOwnRoleDefinitions, deleteRoleAssignments } from "../identity/role-assignments.ts";
import { forgetInstallation } from "../install/bootstrap.ts";
import { hiveDeleteResources } from "../install/hive.ts";
import { restoreResourceGroup } from "../managed-group/resource-group.ts";
import { deleteDNS } from "../network/dns.ts";
import { deleteGateway, gatewayForgotten } from "../private-link/gateway.ts";
import { deletePrivateEndpoint } from "../private-link/private-endpoint.ts";
import { deleteLevel, deleteResourceGroup } from "../removal/delete-resources.ts";
import { minutesMs } from "./timeouts.ts";

/**
 * Deletes the resources that the cluster owns (Azure/ARO-RP pkg/cluster/delete.go). Before a step changes a DNS record or the
 * resource group, it checks that this cluster is the owner.
 */
export const deleteGraph = graph<ClusterContext>("delete")
  .step("ensureResourceGroup", { run: restoreResourceGroup })
  .step("deleteDNS", { needs: ["ensureResourceGroup"], run: deleteDNS })
  .step("deletePrivateEndpoint", { needs: ["ensureResourceGroup"], run: deletePrivateEndpoint })
  .step("deleteRoleAssignments", { needs: ["deleteDNS"], run: deleteRoleAssignments })
  .step("deleteRoleDefinitions", { needs: ["deleteRoleAssignments"], run: deleteOwnRoleDefinitions })
  .step("deleteGateway", { needs: ["deleteRoleDefinitions"], run: deleteGateway })
  .condition("gatewayForgotten", {
    needs: ["deleteGateway"],
    until: gatewayForgotten,
    everyMs: 15_000,
    // The limit is long, because the database deletes a document only some time after its expiry. On a busy machine, this delay
    // is longer. The database reports no progress that could extend the limit.
    timeoutMs: 30 * minutesMs,
  })
  .step("deleteVirtualMachines", {
    needs: ["deletePrivateEndpoint", "gatewayForgotten"],
    weight: 3,
    run: deleteLevel(-4),
  })
  .step("deletePrivateLinkServices", { needs: ["deleteVirtualMachines"], run: deleteLevel(-3) })
  .step("deleteGalleryVersions", { needs: ["deletePrivateLinkServices"], run: deleteLevel(-2) })
  .step("deleteNetworkInterfaces", { needs: ["deleteGalleryVersions"], run: deleteLevel(-1) })
  .step("deleteOtherResources", { needs: ["deleteNetworkInterfaces"], weight: 2, run: deleteLevel(0) })
  .step("deleteNetworkSecurityGroups", { needs: ["deleteOtherResources"], run: deleteLevel(1) })
  .step("deleteResourceGroup", {
    needs: ["deleteNetworkSecurityGroups"],
    weight: 2,
    run: deleteResourceGroup,
  })
  .step("deleteACRToken", { needs: ["deleteResourceGroup"], run: deleteACRToken })
  .step("deleteCertificates", { needs: ["deleteResourceGroup"], run: deleteCertificates })
  .step("forgetInstallation", { needs: ["deleteACRToken", "deleteCertificates"], run: forgetInstallation })
  .step("hiveDeleteResources", { needs: ["forgetInstallation"], run: hiveDeleteResources })
  .step("markBillingForDeletion", { needs: ["hiveDeleteResources"], run: markBillingForDeletion })
  .build();

import type { ClusterContext } from "../context.ts";
import { graph, step } from "../engine/graph.ts";
import { deleteLevel, deleteResourceGroup } from "../steps/delete-resources.ts";
import { deleteDNS } from "../steps/dns.ts";
import { deleteRoleAssignments } from "../steps/role-assignments.ts";

/**
 * Removes what the cluster owns, and nothing else (Azure/ARO-RP pkg/cluster/delete.go): each step first asks
 * whether the record or the group says that it is this cluster's.
 */
export const deleteGraph = graph<ClusterContext>("delete", [
  step({ name: "deleteDNS", run: deleteDNS }),
  step({ name: "deleteRoleAssignments", needs: ["deleteDNS"], run: deleteRoleAssignments }),
  step({
    name: "deleteVirtualMachines",
    needs: ["deleteRoleAssignments"],
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
]);

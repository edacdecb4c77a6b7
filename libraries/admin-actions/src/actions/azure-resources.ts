import { deleteManagedResource as remove } from "../azure/delete-managed-resource.ts";
import { listResources as list } from "../azure/list-resources.ts";
import {
  checkNicGiven,
  checkNicName,
  effectiveRouteTable as readRoutes,
  reconcileFailedNic as reconcile,
} from "../azure/network-interface.ts";
import { required, text } from "./action-parameter.ts";
import { declareAction } from "./admin-action.ts";

export const listResources = declareAction({
  method: "GET",
  suffix: "resources",
  role: "reader",
  summary: "the cluster's resources in Azure",
  remarks: "the cluster's Azure resources. Virtual machines include their instance view",
  long: { limitMs: 10 * 60_000 },
  parameters: {},
  handle: async (context) => ({ items: list(context) }),
});

export const effectiveRouteTable = declareAction({
  method: "GET",
  suffix: "effectiveroutetable",
  role: "reader",
  summary: "the routes of a network interface",
  remarks: "the routes that Azure applies to a network interface",
  long: { limitMs: 10 * 60_000 },
  parameters: { nic: required(text("nic", checkNicGiven)) },
  handle: async (context, { nic }) => ({ body: await readRoutes(context, nic) }),
});

export const reconcileFailedNic = declareAction({
  method: "POST",
  suffix: "reconcilefailednic",
  role: "operator",
  summary: "write a failed network interface again",
  remarks: "repairs a network interface in a failed state by writing it again",
  long: { limitMs: 30 * 60_000 },
  parameters: { nicName: required(text("nicName", checkNicName)) },
  handle: (context, { nicName }) => reconcile(context, nicName),
});

export const deleteManagedResource = declareAction({
  method: "POST",
  suffix: "deletemanagedresource",
  role: "elevated",
  summary: "delete a resource of the managed group",
  destructive: true,
  remarks:
    "deletes a resource of the managed resource group, except private links, private endpoints and storage accounts",
  long: { limitMs: 60 * 60_000 },
  parameters: { managedResourceID: required(text("managedResourceID")) },
  handle: (context, { managedResourceID }) => remove(context, managedResourceID),
});

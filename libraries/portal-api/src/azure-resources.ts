import { type Static, Type } from "typebox";
import { closed } from "./shape.ts";

const text = Type.String();
const total = Type.Integer({ minimum: 0, description: "number of all resources or routes" });

/** Schema of an Azure resource of the cluster. Unknown values are empty strings. */
const azureResourceSchema = closed({
  name: text,
  type: Type.String({ description: "for example `Microsoft.Compute/virtualMachines`" }),
  resourceGroup: text,
  location: text,
  provisioningState: text,
  powerState: Type.String({ description: "power state of a virtual machine, for example `running`" }),
});
export type AzureResource = Static<typeof azureResourceSchema>;
export const azureResourcesSchema = closed({
  total,
  resources: Type.Array(azureResourceSchema, { maxItems: 5_000 }),
});
export type AzureResources = Static<typeof azureResourcesSchema>;

/** Schema of an effective route of a network interface. */
const effectiveRouteSchema = closed({
  name: text,
  source: text,
  state: text,
  addressPrefixes: Type.Array(text, { maxItems: 100 }),
  nextHopType: text,
  nextHops: Type.Array(text, { maxItems: 100, description: "IP addresses" }),
});
export type EffectiveRoute = Static<typeof effectiveRouteSchema>;
export const effectiveRoutesSchema = closed({
  total,
  routes: Type.Array(effectiveRouteSchema, { maxItems: 1_000 }),
});
export type EffectiveRoutes = Static<typeof effectiveRoutesSchema>;

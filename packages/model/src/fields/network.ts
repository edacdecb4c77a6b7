import { type Field, integer, list, object, text } from "./field.ts";

const loadBalancer = "properties.networkProfile.loadBalancerProfile";
const since = "2023-07-01-preview";

export const networkFields: readonly Field[] = [
  object("properties.networkProfile", "always"),
  text("properties.networkProfile.podCidr"),
  text("properties.networkProfile.serviceCidr"),
  text("properties.networkProfile.outboundType", {
    since: "2023-04-01",
    values: ["Loadbalancer", "UserDefinedRouting"],
  }),
  object(loadBalancer, "optional", { since }),
  object(`${loadBalancer}.managedOutboundIps`, "optional", { since, mutable: true }),
  integer(`${loadBalancer}.managedOutboundIps.count`, { since, mutable: true }),
  list(`${loadBalancer}.effectiveOutboundIps`, { since, readOnly: { since, sent: "refused" } }),
  text(`${loadBalancer}.effectiveOutboundIps[].id`, { since }),
  text("properties.networkProfile.preconfiguredNSG", {
    since: "2023-09-04",
    values: ["Enabled", "Disabled"],
  }),
];

import { type Field, integer, list, object, text } from "./field.ts";

const loadBalancer = "properties.networkProfile.loadBalancerProfile";
const since = "2023-07-01-preview";

export const networkFields: readonly Field[] = [
  object("properties.networkProfile", "always"),
  text("properties.networkProfile.podCidr"),
  text("properties.networkProfile.serviceCidr"),
  text("properties.networkProfile.outboundType", {
    since: "2023-04-01",
    storedDefault: "Loadbalancer",
    values: ["Loadbalancer", "UserDefinedRouting"],
  }),
  object(loadBalancer, "optional", { since, filledIn: true }),
  object(`${loadBalancer}.managedOutboundIps`, "optional", { since, mutable: true }),
  integer(`${loadBalancer}.managedOutboundIps.count`, { since, mutable: true }),
  list(`${loadBalancer}.effectiveOutboundIps`, {
    since,
    readOnly: { since: "2023-11-22", sent: "refused" },
  }),
  text(`${loadBalancer}.effectiveOutboundIps[].id`, { since, ignoreCase: true }),
  text("properties.networkProfile.preconfiguredNSG", {
    since: "2023-09-04",
    storedDefault: "Disabled",
    values: ["Enabled", "Disabled"],
  }),
];

/** Fields of 2021-09-01-preview only. */
export const softwareDefinedNetworkFields: readonly Field[] = [
  text("properties.networkProfile.softwareDefinedNetwork", {
    filledIn: true,
    values: ["OVNKubernetes", "OpenShiftSDN"],
  }),
];

/** Fields of 2023-07-01-preview only. They were published but never implemented. */
export const plannedOutboundFields: readonly Field[] = [
  list(`${loadBalancer}.outboundIps`, { mutable: true }),
  text(`${loadBalancer}.outboundIps[].id`),
  list(`${loadBalancer}.outboundIpPrefixes`, { mutable: true }),
  text(`${loadBalancer}.outboundIpPrefixes[].id`),
  integer(`${loadBalancer}.allocatedOutboundPorts`, { mutable: true }),
];

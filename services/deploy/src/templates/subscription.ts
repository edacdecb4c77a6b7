import { actionGroup } from "../resources/alerts.ts";
import { roleDefinition } from "../resources/authorization.ts";
import { call, concat, member } from "../template/expression.ts";
import { names, networkRoleLabel } from "../template/names.ts";
import { defineTemplate } from "../template/template.ts";

/** Template of the resources shared by all regions of a subscription. */
export const subscriptionTemplate = defineTemplate({
  file: "rp-production-subscription",
  parameters: {
    alertEmailReceivers: {
      type: "array",
      defaultValue: [],
      description: "recipients of alerts. Each recipient has name, emailAddress and useCommonAlertSchema",
    },
  },
  resources: ({ alertEmailReceivers }) => [
    actionGroup(names.actionGroup, "rp health", alertEmailReceivers),
    roleDefinition(
      networkRoleLabel,
      concat("Keelson service network ", member(call("subscription"), "subscriptionId")),
      [
        "Microsoft.Network/privateEndpoints/read",
        "Microsoft.Network/privateEndpoints/write",
        "Microsoft.Network/privateEndpoints/delete",
        "Microsoft.Network/virtualNetworks/read",
        "Microsoft.Network/virtualNetworks/subnets/read",
        "Microsoft.Network/virtualNetworks/subnets/join/action",
        "Microsoft.Network/virtualNetworks/subnets/joinViaServiceEndpoint/action",
        "Microsoft.Network/privateLinkServices/read",
        "Microsoft.Network/privateLinkServices/privateEndpointConnections/read",
        "Microsoft.Network/privateLinkServices/privateEndpointConnections/write",
      ],
    ),
  ],
});

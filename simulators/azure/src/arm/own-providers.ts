import type { ArmProvider } from "./provider.ts";

/** Resource providers that are part of Azure Resource Manager itself. */
export const ownProviders: readonly ArmProvider[] = [
  { namespace: "Microsoft.Features", describedTypes: ["features", "providers"] },
  { namespace: "Microsoft.Resources", describedTypes: ["resourceGroups", "subscriptions", "tenants"] },
];

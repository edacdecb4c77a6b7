import type { ArmProvider } from "./provider.ts";

/** Providers that Azure Resource Manager implements itself. */
export const ownProviders: readonly ArmProvider[] = [
  { namespace: "Microsoft.Features", describedTypes: ["features", "providers"] },
  { namespace: "Microsoft.Resources", describedTypes: ["resourceGroups", "subscriptions", "tenants"] },
];

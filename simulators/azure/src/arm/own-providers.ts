import type { ArmProvider } from "./provider.ts";

/** What Azure Resource Manager itself serves under namespaces of providers. */
export const ownProviders: readonly ArmProvider[] = [
  { namespace: "Microsoft.Features", describedTypes: ["features", "providers"] },
  { namespace: "Microsoft.Resources", describedTypes: ["resourceGroups", "subscriptions", "tenants"] },
];

import type { ArmProvider } from "../arm/provider.ts";
import { databaseAccounts } from "./database-accounts.ts";
import { sqlContainers, sqlDatabases, sqlRoleAssignments } from "./sql-resources.ts";

export const documentDbProvider: ArmProvider = {
  namespace: "Microsoft.DocumentDB",
  types: [databaseAccounts, sqlDatabases, sqlContainers, sqlRoleAssignments],
};

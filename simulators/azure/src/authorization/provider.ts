import type { ArmProvider } from "../arm/provider.ts";
import { denyAssignments } from "./deny-assignments.ts";
import { locks } from "./locks.ts";
import { permissions } from "./permissions.ts";
import { roleAssignments } from "./role-assignments.ts";
import { roleDefinitions } from "./role-definitions.ts";

export const authorizationProvider: ArmProvider = {
  namespace: "Microsoft.Authorization",
  types: [roleAssignments, roleDefinitions, denyAssignments, locks],
  scopeViews: { permissions },
  firstApiVersion: "2014-07-01",
};

import type { ArmProvider } from "../arm/provider.ts";
import { policyAssignments } from "./policy-assignments.ts";
import { policyDefinitions, policySetDefinitions } from "./policy-definitions.ts";

export const policyProvider: ArmProvider = {
  namespace: "Microsoft.Authorization",
  types: [policyDefinitions, policySetDefinitions, policyAssignments],
};

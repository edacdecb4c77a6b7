import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import type { Subscription } from "../arm/subscription.ts";
import { checkPolicies } from "../policy/check-policies.ts";
import { policyAssignmentType } from "../policy/policy-assignments.ts";
import { type Deployer, requestOf } from "./arm-calls.ts";
import { contextIn } from "./lookups.ts";
import type { Parts } from "./parts.ts";
import { evaluateBody, nothingKnown, textIfKnown } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";

/**
 * Checks policies for all resources of a deployment before any resource is written. Values that are unknown before the first
 * write are not checked.
 * @throws ArmError 400 InvalidTemplateDeployment, with a detail for each rejected resource
 */
export function* checkPoliciesAhead(
  subscription: Subscription,
  prepared: Prepared,
  deployer: Deployer,
): Parts<void> {
  if (subscription.resources.ofType(policyAssignmentType).length === 0) return;
  const details: JsonObject[] = [];
  for (const each of prepared.resources) {
    if (each.skipped || each.existing) continue;
    const { id, apiVersion } = each;
    const body = evaluateBody(each, contextIn(prepared, each, nothingKnown), textIfKnown);
    try {
      checkPolicies(subscription, requestOf(deployer, { method: "PUT", id, apiVersion, body }));
    } catch (error) {
      if (!(error instanceof ArmError) || error.code !== "RequestDisallowedByPolicy") throw error;
      const { code, target = id, message, additionalInfo } = error;
      details.push({ code, target, message, additionalInfo });
    }
    yield;
  }
  if (details.length === 0) return;
  throw new ArmError(
    400,
    "InvalidTemplateDeployment",
    "The template deployment failed because of policy violation. Please see details for more information.",
    { details },
  );
}

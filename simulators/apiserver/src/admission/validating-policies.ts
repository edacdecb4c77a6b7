import { failures, Pace, requestBudget, StatusError, sharedTurns } from "@keelson/apimachinery";
import { messageOf } from "@keelson/base";
import type { AdmissionRequest } from "../resources/admission-request.ts";
import { subjectOf } from "../resources/served-resource.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { requestFacts } from "./admission-review.ts";
import type { Binding } from "./configuration/policy.ts";
import { namespaceOf } from "./configuration/selectors.ts";
import type { Objection, PolicyOutcome } from "./evaluate-policy.ts";
import type { BoundPolicy, PolicyIndex } from "./policy-index.ts";
import { paramsOf } from "./policy-params.ts";
import { evaluateFairly } from "./policy-task.ts";
import { authorizerOf } from "./request-variables.ts";

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** Work units for matching a request with a policy, and work units for evaluating a short policy. */
const [stepsOfMatch, stepsOfPolicy] = [20, 200];

/**
 * Evaluates all policies that are bound to a request. A denied request still returns the warnings of later policies.
 * @throws StatusError for the first denial
 */
export async function validateByPolicies(
  context: AdmissionContext,
  index: PolicyIndex,
  request: AdmissionRequest,
): Promise<void> {
  const pace = new Pace();
  let denied: StatusError | undefined;
  for (const bound of index.candidates(request)) {
    if (pace.isOver(stepsOfMatch)) await sharedTurns.wait(context.store);
    if (!index.isFor(bound, request)) continue;
    for (const binding of bound.bindings) {
      if (pace.isOver(stepsOfMatch)) await sharedTurns.wait(context.store);
      if (!index.binds(binding, request)) continue;
      const outcome = await outcomeOf(context, request, bound, binding, pace);
      const refusal = enforce(context, request, bound, binding, outcome);
      denied ??= refusal;
    }
  }
  if (denied) throw denied;
}

async function outcomeOf(
  context: AdmissionContext,
  request: AdmissionRequest,
  { policy, match: { resource } }: BoundPolicy,
  binding: Binding,
  pace: Pace,
): Promise<PolicyOutcome & { readonly misconfigured?: string }> {
  const nothing = { objections: [], auditAnnotations: {} };
  let params: ReturnType<typeof paramsOf>;
  try {
    params = paramsOf(context, policy.policy, binding, request.namespace);
  } catch (error) {
    if (policy.policy.failurePolicy === "Ignore") return nothing;
    return { ...nothing, misconfigured: `failed to configure binding: ${messageOf(error)}` };
  }
  const namespace = namespaceOf(request, context.store);
  const { budget = requestBudget() } = request;
  const { object, oldObject, ...facts } = requestFacts(request, resource);
  const authorizer = authorizerOf(context, request, resource);
  const outcomes: PolicyOutcome[] = [];
  for (const each of params) {
    if (pace.isOver(stepsOfPolicy)) await sharedTurns.wait(context.store);
    const all = { object, oldObject, request: facts, params: each, namespace };
    outcomes.push(await evaluateFairly(context.store, policy, all, authorizer, budget));
  }
  return {
    objections: outcomes.flatMap(({ objections }) => objections),
    auditAnnotations: Object.assign({}, ...outcomes.map(({ auditAnnotations }) => auditAnnotations)),
  };
}

/** Reports a policy's violations. Returns the denial, if the policy denies the request. */
function enforce(
  { logger }: AdmissionContext,
  request: AdmissionRequest,
  { policy: { policy } }: BoundPolicy,
  binding: Binding,
  { objections, auditAnnotations, misconfigured }: PolicyOutcome & { readonly misconfigured?: string },
): StatusError | undefined {
  const facts = { policy: policy.name, binding: binding.name };
  if (Object.keys(auditAnnotations).length > 0) {
    logger.info({ ...facts, annotations: auditAnnotations }, "admission policy returned audit annotations");
  }
  if (misconfigured) return denial(request, policy.name, binding, { message: misconfigured, reason: "" });
  for (const { message } of objections) {
    if (binding.actions.has("Audit")) logger.info({ ...facts, message }, "an admission policy objects");
    if (binding.actions.has("Warn")) {
      request.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
      );
    }
  }
  const [first] = objections;
  return first && binding.actions.has("Deny") ? denial(request, policy.name, binding, first) : undefined;
}

function denial(
  request: AdmissionRequest,
  policy: string,
  binding: Binding,
  objection: Objection,
): StatusError {
  const message = `ValidatingAdmissionPolicy '${policy}' with binding '${binding.name}' denied request: ${objection.message}`;
  const name =
    request.name || request.object?.metadata.name || request.object?.metadata.generateName || "Unknown";
  const forbidden = failures.forbidden(subjectOf(request.resource), name, message);
  const reason = objection.reason || "Invalid";
  const details = { ...forbidden.details, causes: [{ reason: "", message }] };
  return new StatusError(codes[reason] ?? 422, reason, forbidden.message, details);
}

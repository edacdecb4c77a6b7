import { messageOf } from "@keelson/base";
import { CostBudget } from "../cel/index.ts";
import type { AdmissionRequest } from "../registry/admission.ts";
import { subjectOf } from "../registry/served-resource.ts";
import { failures, StatusError } from "../status/status-error.ts";
import type { AdmissionContext } from "./admission-context.ts";
import { evaluatePolicy, type Objection, type PolicyOutcome } from "./evaluate-policy.ts";
import { type Bindings, requestBindings } from "./expression.ts";
import type { Binding } from "./policy.ts";
import { policyBindings } from "./policy-expressions.ts";
import type { BoundPolicy, PolicyIndex } from "./policy-index.ts";
import { paramsOf } from "./policy-params.ts";
import { namespaceOf } from "./selectors.ts";

/** What a policy may cost for one binding (Kubernetes' limit). */
const costLimit = 10_000_000;
const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** Evaluates all policies that are bound to a request. @throws StatusError the first objection that a binding denies for */
export function validateByPolicies(
  context: AdmissionContext,
  index: PolicyIndex,
  request: AdmissionRequest,
): void {
  for (const bound of index.candidates(request)) {
    if (!index.isFor(bound, request)) continue;
    const bindings = requestBindings(context, request, bound.match.resource);
    for (const binding of bound.bindings) {
      if (!index.binds(binding, request)) continue;
      const outcome = outcomeOf(context, request, bound, binding, bindings);
      enforce(context, request, bound, binding, outcome);
    }
  }
}

function outcomeOf(
  context: AdmissionContext,
  request: AdmissionRequest,
  { policy }: BoundPolicy,
  binding: Binding,
  bindings: Bindings,
): PolicyOutcome & { readonly misconfigured?: string } {
  const nothing = { objections: [], auditAnnotations: {} };
  let params: ReturnType<typeof paramsOf>;
  try {
    params = paramsOf(context, policy.policy, binding, request.namespace);
  } catch (error) {
    if (policy.policy.failurePolicy === "Ignore") return nothing;
    return { ...nothing, misconfigured: `failed to configure binding: ${messageOf(error)}` };
  }
  const namespace = namespaceOf(request, context.store);
  const outcomes = params.map((each) => {
    const budget = new CostBudget(costLimit);
    return evaluatePolicy(policy, policyBindings(policy, bindings, each, namespace, budget), budget);
  });
  return {
    objections: outcomes.flatMap(({ objections }) => objections),
    auditAnnotations: Object.assign({}, ...outcomes.map(({ auditAnnotations }) => auditAnnotations)),
  };
}

function enforce(
  { logger }: AdmissionContext,
  request: AdmissionRequest,
  { policy: { policy } }: BoundPolicy,
  binding: Binding,
  { objections, auditAnnotations, misconfigured }: PolicyOutcome & { readonly misconfigured?: string },
): void {
  const facts = { policy: policy.name, binding: binding.name };
  if (Object.keys(auditAnnotations).length > 0) {
    logger.info({ ...facts, annotations: auditAnnotations }, "an admission policy left audit annotations");
  }
  if (misconfigured) throw denial(request, policy.name, binding, { message: misconfigured, reason: "" });
  for (const { message } of objections) {
    if (binding.actions.has("Audit")) logger.info({ ...facts, message }, "an admission policy objects");
    if (binding.actions.has("Warn")) {
      request.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`,
      );
    }
  }
  const [first] = objections;
  if (first && binding.actions.has("Deny")) throw denial(request, policy.name, binding, first);
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

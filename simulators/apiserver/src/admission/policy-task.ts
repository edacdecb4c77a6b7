import { type KubeObject, sharedTurns } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import { CostBudget, fromJson, type Result } from "@keelson/cel";
import { sharedThreads } from "../threads/thread-pool.ts";
import type { ThreadTask } from "../threads/thread-task.ts";
import { tryHere } from "../threads/try-here.ts";
import { expressionsOf, type PolicyExpressions } from "./configuration/policy.ts";
import type { RequestVariables } from "./configuration/policy-expressions.ts";
import { type CompiledPolicy, compilePolicy, policyBindings } from "./configuration/policy-expressions.ts";
import { evaluatePolicy, type PolicyOutcome } from "./evaluate-policy.ts";

/** CEL cost limit of one policy evaluation, as in Kubernetes. */
const costLimit = 10_000_000;
const expressionLimit = 1_000_000;

/** Variables of a policy's expressions as JSON, without `authorizer`. */
export interface PolicyFacts {
  readonly object: unknown;
  readonly oldObject: unknown;
  readonly request: unknown;
  readonly params: KubeObject | undefined;
  readonly namespace: KubeObject | undefined;
}

export interface PolicyInput {
  readonly policy: PolicyExpressions;
  readonly facts: PolicyFacts;
}

/**
 * Evaluates a cheap policy inline and an expensive policy in a worker thread. Expressions that use `authorizer` always run
 * inline.
 * @throws StatusError 429, WorkBudgetExceeded
 */
export async function evaluateFairly(
  owner: object,
  compiled: CompiledPolicy,
  facts: PolicyFacts,
  authorizer: Result,
  budget: WorkBudget,
): Promise<PolicyOutcome> {
  const evaluated = (work: WorkBudget) => evaluatedWith(compiled, facts, authorizer, work);
  const here = tryHere(budget, evaluated);
  if (here) return here.result;
  const policy = expressionsOf(compiled.policy);
  if (JSON.stringify(policy).includes("authorizer")) return evaluated(budget);
  await sharedTurns.next(owner, budget);
  return sharedThreads.run(owner, policyTask, { policy, facts }, budget);
}

function evaluatedWith(
  compiled: CompiledPolicy,
  { object, oldObject, request, params, namespace }: PolicyFacts,
  authorizer: Result,
  work: WorkBudget,
): PolicyOutcome {
  const budget = new CostBudget(costLimit, expressionLimit, work);
  const variables: RequestVariables = {
    object: fromJson(object ?? null),
    oldObject: fromJson(oldObject ?? null),
    request: fromJson(request),
    authorizer,
  };
  return evaluatePolicy(compiled, policyBindings(compiled, variables, params, namespace, budget), budget);
}

const maxKept = 100;
const kept = new Map<string, CompiledPolicy>();

function evaluatePolicyTask({ policy, facts }: PolicyInput, work: WorkBudget): PolicyOutcome {
  const key = JSON.stringify(policy);
  const compiled = kept.get(key) ?? compilePolicy(policy);
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, compiled);
  return evaluatedWith(compiled, facts, null, work);
}

export const policyTask: ThreadTask<PolicyInput, PolicyOutcome> = {
  name: "evaluatePolicy",
  run: evaluatePolicyTask,
};

import { messageOf } from "@keelson/base";
import type { CostBudget } from "@keelson/cel";
import { type Bindings, ExpressionFailure } from "./configuration/expression.ts";
import { allHold } from "./configuration/match-conditions.ts";
import type { CompiledPolicy, CompiledValidation } from "./configuration/policy-expressions.ts";

/** Policy violation by a request. */
export interface Objection {
  readonly message: string;
  /** Reason in the Status. An empty string means `Invalid`. */
  readonly reason: string;
}

export interface PolicyOutcome {
  readonly objections: readonly Objection[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

const nothing: PolicyOutcome = { objections: [], auditAnnotations: {} };
const maxMessageBytes = 5 * 1_024;
const maxAnnotationBytes = 10 * 1_024;

/** Evaluates a policy with one parameter object. With the failure policy `Fail`, a failed expression is a violation. */
export function evaluatePolicy(
  compiled: CompiledPolicy,
  bindings: Bindings,
  budget: CostBudget,
): PolicyOutcome {
  const { conditions, validations, auditAnnotations, policy } = compiled;
  const objections: Objection[] = [];
  const annotations: Record<string, string> = {};
  const failed = (error: unknown): void => {
    if (!(error instanceof ExpressionFailure)) throw error;
    if (policy.failurePolicy === "Fail") objections.push({ message: messageOf(error), reason: "" });
  };
  try {
    if (!allHold(conditions, bindings, budget)) return nothing;
  } catch (error) {
    failed(error);
    return { objections, auditAnnotations: {} };
  }
  for (const validation of validations) {
    try {
      if (validation.test.evaluate(bindings, budget) === true) continue;
      objections.push({ message: messageFor(validation, bindings, budget), reason: validation.reason });
    } catch (error) {
      failed(error);
    }
  }
  for (const { key, value } of auditAnnotations) {
    try {
      const text = value.evaluate(bindings, budget);
      if (typeof text === "string" && text.trim()) {
        annotations[`${policy.name}/${key}`] = text.trim().slice(0, maxAnnotationBytes);
      }
    } catch (error) {
      failed(error);
    }
  }
  return { objections, auditAnnotations: annotations };
}

function messageFor(
  { text, message, expression }: CompiledValidation,
  bindings: Bindings,
  budget: CostBudget,
): string {
  const made = text && attempt(() => text.evaluate(bindings, budget));
  const trimmed = typeof made === "string" ? made.trim() : "";
  if (trimmed && !trimmed.includes("\n") && Buffer.byteLength(trimmed) <= maxMessageBytes) return trimmed;
  return message.trim() || `failed expression: ${expression.trim()}`;
}

/** Evaluates an optional message expression. Returns undefined if the evaluation fails, so the default message is used. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ExpressionFailure)) throw error;
    return undefined;
  }
}

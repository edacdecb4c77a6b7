import { parentPort } from "node:worker_threads";
import type { JsonObject } from "@keelson/base";
import { ArmError } from "../../arm/arm-error.ts";
import { ExpressionError } from "../errors/template-error.ts";
import { evaluateText } from "../evaluation/evaluate-json.ts";
import { TemplateBudget } from "../language/template-budget.ts";
import { readTemplate } from "./template.ts";
import { baseContext, templateContext } from "./template-context.ts";

/** Message to the thread: an expression and its template. */
export interface EvaluatedInThread {
  readonly expression: string;
  readonly sections: JsonObject;
}

/** Evaluates an expression. Returns the value as JSON. If the expression is rejected, returns the reason. */
function evaluateGiven({ expression, sections }: EvaluatedInThread): string {
  const source = { $schema: "x", contentVersion: "1.0.0.0", resources: [], ...sections };
  const surroundings = { place: { subscriptionId: "s", group: "g" }, now: new Date(0), values: {} };
  const budget = new TemplateBudget();
  try {
    const context = templateContext(readTemplate(source), {}, baseContext(surroundings, budget));
    const value = evaluateText(`[${expression}]`, context);
    budget.measure(value);
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof ArmError || error instanceof ExpressionError) return error.message;
    throw error;
  }
}

// Runs in a separate thread, because memory limits can be set per thread.
parentPort?.on("message", (given: EvaluatedInThread) => parentPort?.postMessage(evaluateGiven(given)));

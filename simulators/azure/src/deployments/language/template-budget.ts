import { type JsonValue, WorkBudget, WorkBudgetExceeded, type WorkLimits } from "@keelson/base";
import { invalidTemplate } from "../errors/template-error.ts";
import { parseText } from "./parse.ts";
import type { TemplateText } from "./syntax.ts";

/**
 * Evaluation limits of a deployment. A node is one evaluation step. The largest allowed template has 800 resources. It stays
 * below these limits if each resource needs about 250 nodes.
 */
const deploymentLimits: WorkLimits = { nodes: 500_000, bytes: 32 * 1024 * 1024, timeMs: 10_000 };

/**
 * Maximum number of nodes in one evaluation unit. A unit evaluates one resource, or the names of all resources. Units run without
 * yielding to the event loop.
 */
const partNodes = 100_000;

/**
 * Maximum nesting depth. Nested expressions, variables, functions and values all count. Deeper nesting would exhaust the stack.
 */
const maxDepth = 400;

/** Maximum depth of values. Request bodies have the same limit. */
const maxValueDepth = 64;

/**
 * Evaluation budget shared by a deployment and its nested deployments. Each evaluation step costs one node. Functions charge the
 * size of a value before they create it.
 */
export class TemplateBudget {
  readonly #work: WorkBudget;
  readonly #refuse: (reason: string) => Error;
  readonly #parsed = new Map<string, TemplateText>();
  #depth = 0;
  #nodes = 0;
  /** Node count above which the current evaluation unit exceeds its limit. */
  #partEnd = Number.POSITIVE_INFINITY;

  constructor(limits = deploymentLimits, refuse: (reason: string) => Error = invalidTemplate) {
    this.#work = new WorkBudget(limits);
    this.#refuse = refuse;
  }

  /** Charges nodes and bytes to the budget. @throws InvalidTemplate if the budget is exceeded */
  spend(nodes: number, bytes = 0): void {
    this.#nodes += nodes;
    if (this.#nodes > this.#partEnd) {
      throw this.#refuse(
        `The expressions take more than ${partNodes.toLocaleString("en")} steps to evaluate. Split the template into more resources, or use smaller loops and values`,
      );
    }
    try {
      this.#work.spend(nodes, bytes);
    } catch (error) {
      if (!(error instanceof WorkBudgetExceeded)) throw error;
      throw this.#refuse(
        `The expressions take more than ${this.#work.limits[error.limit].toLocaleString("en")} ${units[error.limit]} to evaluate. Split the template into several deployments, or use smaller loops and values`,
      );
    }
  }

  /** Runs one evaluation unit without yielding. @throws InvalidTemplate if the unit exceeds its limit */
  part<T>(evaluate: () => T): T {
    const outer = this.#partEnd;
    this.#partEnd = Math.min(outer, this.#nodes + partNodes);
    try {
      return evaluate();
    } finally {
      this.#partEnd = outer;
    }
  }

  /** Starts an evaluation step. Call `leave` at the end of the step. @throws InvalidTemplate */
  enter(): void {
    this.spend(1);
    this.#depth += 1;
    if (this.#depth <= maxDepth) return;
    this.#depth -= 1;
    throw this.#refuse(`The expressions are nested deeper than ${maxDepth} levels`);
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Parses a template string and caches the result. @throws ExpressionError; InvalidTemplate */
  parse(text: string): TemplateText {
    if (!text.startsWith("[")) return { literal: text };
    const known = this.#parsed.get(text);
    if (known) return known;
    // Charges an estimated number of tokens before parsing. Most tokens have several characters, so one token per four characters
    // is charged.
    this.spend(Math.ceil(text.length / 4), text.length);
    const parsed = parseText(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }

  /**
   * Charges a complete value to the budget. A value that occurs several times is charged for each occurrence. Returns the
   * approximate size of the value as JSON.
   * @throws InvalidTemplate
   */
  measure(value: JsonValue | undefined, depth = 0): number {
    if (typeof value === "string") {
      this.spend(1, value.length);
      return value.length + 2;
    }
    this.spend(1, 8);
    if (typeof value !== "object" || value === null) return 8;
    if (depth >= maxValueDepth) throw this.#refuse(`A value is nested deeper than ${maxValueDepth} levels`);
    let bytes = 8;
    if (Array.isArray(value)) {
      for (const each of value) bytes += this.measure(each, depth + 1);
      return bytes;
    }
    for (const [name, each] of Object.entries(value)) {
      this.spend(0, name.length);
      bytes += name.length + this.measure(each, depth + 1);
    }
    return bytes;
  }

  /** Charges the size of values to the budget, but not the size of their nested values. */
  spendShallow(values: readonly JsonValue[]): void {
    let [nodes, bytes] = [values.length, 0];
    for (const each of values) {
      if (typeof each === "string") bytes += each.length;
      else if (Array.isArray(each)) nodes += each.length;
    }
    this.spend(nodes, bytes);
  }
}

const units = { nodes: "steps", bytes: "bytes", timeMs: "milliseconds" } as const;

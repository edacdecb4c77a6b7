import { type WorkBudget, WorkBudgetExceeded } from "@keelson/base";

/** Thrown when an expression has used up what it may cost. Nothing in the expression can swallow it. */
export class CostExceeded extends Error {
  /** Whose limit it was: the expression's own, or that of all together. */
  readonly of: "expression" | "budget";

  constructor(of: CostExceeded["of"] = "expression") {
    super("operation cancelled: actual cost limit exceeded");
    this.of = of;
  }
}

/**
 * So many nodes of work an expression may take for each unit of its limit. Kubernetes prices some calls far below what
 * they take: reading the keys of a map, comparing long texts in order, matching a pattern with a large program.
 */
const nodesPerUnit = 4;

/** Counts what evaluating costs, in cel-go's units: about one per step, and per ten characters or elements compared. */
export class Meter {
  readonly #limit: number;
  readonly #work: WorkBudget | undefined;
  #spent = 0;
  #nodes = 0;

  constructor(limit: number, work?: WorkBudget) {
    this.#limit = limit;
    this.#work = work;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws CostExceeded. @throws RangeError for an amount that would give something back */
  spend(units: number): void {
    if (!(units >= 0)) throw new RangeError(`an expression cannot cost ${units}`);
    this.#spent += units;
    if (this.#spent > this.#limit) throw new CostExceeded();
    this.#spendWork(units);
  }

  /** Counts elements and characters visited that the cost does not. @throws CostExceeded, RangeError */
  work(nodes: number): void {
    if (!(nodes >= 0)) throw new RangeError(`an expression cannot take ${nodes} nodes of work`);
    this.#nodes += nodes;
    if (this.#nodes > this.#limit * nodesPerUnit) throw new CostExceeded();
    this.#spendWork(nodes);
  }

  #spendWork(nodes: number): void {
    try {
      this.#work?.spend(nodes);
    } catch (error) {
      throw error instanceof WorkBudgetExceeded ? new CostExceeded("budget") : error;
    }
  }
}

/** What all expressions about one object may cost together, and each of them (Kubernetes' limits). */
export class CostBudget {
  readonly perExpression: number;
  /** Of the request for which the expressions are evaluated. */
  readonly work: WorkBudget | undefined;
  #remaining: number;

  constructor(total = 10_000_000, perExpression = 1_000_000, work?: WorkBudget) {
    this.perExpression = perExpression;
    this.work = work;
    this.#remaining = total;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Takes off what an expression cost. False when that was more than there was. @throws RangeError */
  take(cost: number): boolean {
    if (!(cost >= 0)) throw new RangeError(`an expression cannot cost ${cost}`);
    this.#remaining -= cost;
    return this.#remaining >= 0;
  }
}

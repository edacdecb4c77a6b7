import { type WorkBudget, WorkBudgetExceeded } from "@keelson/base";

/** Thrown when an expression exceeds its cost limit. Expressions cannot catch it. */
export class CostExceeded extends Error {
  /** Exceeded limit: the limit of this expression, or the common budget of all expressions. */
  readonly of: "expression" | "budget";

  constructor(of: CostExceeded["of"] = "expression") {
    super("operation cancelled: actual cost limit exceeded");
    this.of = of;
  }
}

/**
 * Maximum actual work, counted in visited nodes, for each unit of the cost limit. Kubernetes' cost of some calls is far below the
 * actual work. Examples are calls that list the keys of a map, compare long strings or match large patterns.
 */
const nodesPerUnit = 4;

/** Counts the cost of an evaluation in cel-go's units. One unit is about one step, or ten compared characters or elements. */
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

  /**
   * Adds to the cost.
   * @throws CostExceeded, or RangeError for a negative amount
   */
  spend(units: number): void {
    if (!(units >= 0)) throw new RangeError(`invalid expression cost: ${units}`);
    this.#spent += units;
    if (this.#spent > this.#limit) throw new CostExceeded();
    this.#spendWork(units);
  }

  /**
   * Counts visited elements and characters that have no cost in cel-go.
   * @throws CostExceeded, RangeError
   */
  work(nodes: number): void {
    if (!(nodes >= 0)) throw new RangeError(`invalid amount of work: ${nodes}`);
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

/** Kubernetes' cost limits: one for each expression, and one for all expressions that validate an object. */
export class CostBudget {
  readonly perExpression: number;
  /** Work budget of the request. */
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

  /** Deducts the cost of an expression. Returns false if the budget is exceeded. @throws RangeError */
  take(cost: number): boolean {
    if (!(cost >= 0)) throw new RangeError(`invalid expression cost: ${cost}`);
    this.#remaining -= cost;
    return this.#remaining >= 0;
  }
}

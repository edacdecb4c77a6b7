/** Thrown when an expression has used up what it may cost. Nothing in the expression can swallow it. */
export class CostExceeded extends Error {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** Counts what evaluating costs, in cel-go's units: about one per step, and per ten characters or elements compared. */
export class Meter {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws CostExceeded */
  spend(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#limit) throw new CostExceeded();
  }
}

/** What all expressions about one object may cost together, and each of them (Kubernetes' limits). */
export class CostBudget {
  readonly perExpression: number;
  #remaining: number;

  constructor(total = 10_000_000, perExpression = 1_000_000) {
    this.perExpression = perExpression;
    this.#remaining = total;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Takes off what an expression cost. False when that was more than there was. */
  take(cost: number): boolean {
    this.#remaining -= cost;
    return this.#remaining >= 0;
  }
}

import { type ArrayBudget, AwkArray } from "./arrays.ts";
import type { Value } from "./values.ts";

/** A variable: it is a value or an array, whichever it is first used as. */
export class Variable {
  value: Value;
  #array: AwkArray | undefined;
  /** The caller's variable, which an array that the function makes belongs to. */
  readonly #origin: Variable | undefined;

  constructor(value?: Value, origin?: Variable) {
    this.value = value;
    this.#origin = origin;
  }

  /** What a function is given: arrays as they are, values as copies. */
  passed(): Variable {
    return this.#array || this.value === undefined ? new Variable(undefined, this) : new Variable(this.value);
  }

  get isArray(): boolean {
    return this.#array !== undefined || (this.#origin?.isArray ?? false);
  }

  array(budget: ArrayBudget): AwkArray {
    this.#array ??= this.#origin ? this.#origin.array(budget) : new AwkArray(budget);
    return this.#array;
  }
}

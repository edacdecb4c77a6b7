import { fits } from "../values/fits.ts";
import type { Meter } from "../values/meter.ts";
import type { Type } from "../values/type.ts";
import { type Result, sizeOf, type Value } from "../values/value.ts";

/** One signature of a function, method or operator. */
export interface Overload {
  readonly name: string;
  /** Methods are called as `target.name(…)`: their target is the first parameter. */
  readonly style: "function" | "method";
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Fits only where the type of an argument is not known before it is evaluated. */
  readonly isDynamic?: true;
  /** `undefined` when the arguments are not of the parameters' types. */
  readonly call: (args: readonly Value[], meter: Meter) => Result | undefined;
  /** The steps a call costs beyond the first, from the sizes of its arguments and its result. */
  readonly cost: CostOf | undefined;
}

/** What a call costs, from the sizes of its arguments: characters, bytes, elements; 1 for all others. */
export type CostOf = (...sizes: number[]) => number;

/** The JavaScript type of a value. */
type Shown<T> = T extends Type<infer V> ? V : never;
type Arguments<P extends readonly Type[]> = { readonly [At in keyof P]: Shown<P[At]> };

/** Declares a function. `run` sees arguments that have the parameters' types. */
export function func<const P extends readonly Type[]>(
  name: string,
  parameters: P,
  result: Type,
  run: (args: Arguments<P>, meter: Meter) => Result,
  cost?: CostOf,
): Overload {
  return declared(name, "function", parameters, result, run, cost);
}

/** The function for arguments that the checker cannot see are of other types than it wants. */
export function forDynamic(overload: Overload): Overload {
  return { ...overload, isDynamic: true };
}

/** Declares a method; its target is the first parameter. */
export function method<const P extends readonly Type[]>(
  name: string,
  parameters: P,
  result: Type,
  run: (args: Arguments<P>, meter: Meter) => Result,
  cost?: CostOf,
): Overload {
  return declared(name, "method", parameters, result, run, cost);
}

function declared<const P extends readonly Type[]>(
  name: string,
  style: Overload["style"],
  parameters: P,
  result: Type,
  run: (args: Arguments<P>, meter: Meter) => Result,
  cost: CostOf | undefined,
): Overload {
  const isMine = (args: readonly Value[]): args is readonly Value[] & Arguments<P> =>
    args.length === parameters.length && parameters.every((type, at) => fits(args[at] ?? null, type));
  return {
    name,
    style,
    parameters,
    result,
    cost,
    call: (args, meter) => {
      if (!isMine(args)) return undefined;
      if (cost) meter.spend(cost(...args.map(sizeOf)));
      return run(args, meter);
    },
  };
}

/** Functions that can be declared together, and values under fixed names. */
export interface Library {
  readonly overloads: readonly Overload[];
  readonly types?: Readonly<Record<string, Type>>;
}

import { fits } from "../values/fits.ts";
import type { Meter } from "../values/meter.ts";
import type { Type } from "../values/type.ts";
import { type Result, sizeOf, type Value } from "../values/value.ts";

/** Signature of a function, method or operator. */
export interface Overload {
  readonly name: string;
  /** Methods are called as `target.name(…)`. The target is the first parameter. */
  readonly style: "function" | "method";
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** True if the overload matches only arguments of a type that is unknown before evaluation. */
  readonly isDynamic?: true;
  /** Calls the function. Returns undefined if the arguments do not have the parameters' types. */
  readonly call: (args: readonly Value[], meter: Meter) => Result | undefined;
  /** Additional cost of a call, computed from the sizes of its arguments and result. */
  readonly cost: CostOf | undefined;
}

/**
 * Computes the cost of a call from the sizes of its arguments. Sizes are characters, bytes or elements. Other values have size 1.
 */
export type CostOf = (...sizes: number[]) => number;

/** JavaScript type of values of a CEL type. */
type Shown<T> = T extends Type<infer V> ? V : never;
type Arguments<P extends readonly Type[]> = { readonly [At in keyof P]: Shown<P[At]> };

/** Declares a function. `run` receives arguments that have the parameters' types. */
export function func<const P extends readonly Type[]>(
  name: string,
  parameters: P,
  result: Type,
  run: (args: Arguments<P>, meter: Meter) => Result,
  cost?: CostOf,
): Overload {
  return declared(name, "function", parameters, result, run, cost);
}

/** Returns an overload for arguments with types that the type checker cannot determine. */
export function forDynamic(overload: Overload): Overload {
  return { ...overload, isDynamic: true };
}

/** Declares a method. Its target is the first parameter. */
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

/** Functions and types that belong together. Types are listed by name. */
export interface Library {
  readonly overloads: readonly Overload[];
  readonly types?: Readonly<Record<string, Type>>;
}

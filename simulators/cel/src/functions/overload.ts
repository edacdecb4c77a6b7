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
  /** True if the overload only matches arguments with a type that is unknown before evaluation. */
  readonly isDynamic?: true;
  /** Returns undefined if the arguments do not have the parameters' types. */
  readonly call: (args: readonly Value[], meter: Meter) => Result | undefined;
  /** Cost of a call beyond the first step, by the sizes of its arguments and its result. */
  readonly cost: CostOf | undefined;
}

/** Cost of a call by the sizes of its arguments: characters, bytes or elements, 1 for other values. */
export type CostOf = (...sizes: number[]) => number;

/** JavaScript type of a value. */
type Shown<T> = T extends Type<infer V> ? V : never;
type Arguments<P extends readonly Type[]> = { readonly [At in keyof P]: Shown<P[At]> };

/** Declares a function. `run` receives arguments with the parameters' types. */
export function func<const P extends readonly Type[]>(
  name: string,
  parameters: P,
  result: Type,
  run: (args: Arguments<P>, meter: Meter) => Result,
  cost?: CostOf,
): Overload {
  return declared(name, "function", parameters, result, run, cost);
}

/** Overload for arguments that the type checker cannot know. */
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

/** Functions that are declared together, and types by name. */
export interface Library {
  readonly overloads: readonly Overload[];
  readonly types?: Readonly<Record<string, Type>>;
}

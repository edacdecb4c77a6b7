import type { Checked } from "./checking/checker.ts";
import type { Node } from "./syntax/ast.ts";
import type { Meter } from "./values/meter.ts";
import { errorValue, type Result } from "./values/value.ts";

/** State of one evaluation. */
export interface Frame {
  readonly bindings: Readonly<Record<string, Result>>;
  readonly meter: Meter;
  /** Values of loop and optional variables, by nesting depth. */
  readonly locals: Result[];
}

/** Compiled expression, a tree of closures. */
export type Code = (frame: Frame) => Result;

/** Local names and their indexes in `Frame.locals`. */
export type Slots = ReadonlyMap<string, number>;

export interface Compiler {
  readonly checked: Checked;
  readonly compile: (node: Node, slots: Slots) => Code;
}

export function noOverload(): Result {
  return errorValue("no such overload");
}

/**
 * Returns the slots with an additional name. If the name exists already, its slot moves to a different key. The map's size is
 * therefore always the next free index.
 */
export function withSlot(slots: Slots, name: string, slot: number): Slots {
  const next = new Map(slots);
  const hidden = next.get(name);
  if (hidden !== undefined) next.set(`${name} ${hidden}`, hidden);
  return next.set(name, slot);
}

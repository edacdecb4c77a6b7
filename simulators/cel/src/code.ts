import type { Checked } from "./checking/checker.ts";
import type { Node } from "./syntax/ast.ts";
import type { Meter } from "./values/meter.ts";
import { errorValue, type Result } from "./values/value.ts";

/** What one evaluation works on. */
export interface Frame {
  readonly bindings: Readonly<Record<string, Result>>;
  readonly meter: Meter;
  /** The variables of loops and of optionals, by their depth. */
  readonly locals: Result[];
}

/** A compiled expression: a tree of closures. */
export type Code = (frame: Frame) => Result;

/** Local names and where in `Frame.locals` they are. */
export type Slots = ReadonlyMap<string, number>;

export interface Compiler {
  readonly checked: Checked;
  readonly compile: (node: Node, slots: Slots) => Code;
}

export function noOverload(): Result {
  return errorValue("no such overload");
}

/** Slots with one more name; a name that hides another leaves a hole, so that the count is still the next free one. */
export function withSlot(slots: Slots, name: string, slot: number): Slots {
  const next = new Map(slots);
  const hidden = next.get(name);
  if (hidden !== undefined) next.set(`${name} ${hidden}`, hidden);
  return next.set(name, slot);
}

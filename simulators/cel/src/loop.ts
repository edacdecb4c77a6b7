import { type Code, type Compiler, type Frame, noOverload, type Slots, withSlot } from "./code.ts";
import type { LoopNode } from "./syntax/ast.ts";
import {
  isError,
  type ListValue,
  listOf,
  type MapValue,
  mapOf,
  type Result,
  type Value,
} from "./values/value.ts";

/** Compiled loop: the code for each element and the loop variables. */
interface Loop {
  readonly frame: Frame;
  readonly range: ListValue | MapValue;
  readonly condition: Code;
  readonly body: Code;
  /** Assigns the element at a position to the loop variables. Returns an error, or the value of the first loop variable. */
  readonly bind: (at: number) => Result;
}

type RunLoop = (loop: Loop) => Result;

export function compileLoop(compiler: Compiler, node: LoopNode, slots: Slots): Code {
  const rangeCode = compiler.compile(node.range, slots);
  const [first, second] = node.variables;
  const slot = slots.size;
  const oneSlot = withSlot(slots, first, slot);
  const inner = second === undefined ? oneSlot : withSlot(oneSlot, second, slot + 1);
  const always: Code = () => true;
  const condition = node.condition ? compiler.compile(node.condition, inner) : always;
  const body = node.body ? compiler.compile(node.body, inner) : always;
  const run = runners[node.macro];
  return (frame) => {
    const range = rangeCode(frame);
    if (isError(range)) return range;
    if (typeof range !== "object" || range === null) return noOverload();
    if (range.kind !== "list" && range.kind !== "map") return noOverload();
    const keys = range.kind === "map" ? range.keys() : undefined;
    if (keys) frame.meter.work(keys.length);
    const bind = (at: number): Result => {
      frame.meter.spend(1);
      const key = keys ? (keys[at] ?? null) : BigInt(at);
      const value = valueAt(range, key, at, keys === undefined || second !== undefined);
      if (value !== undefined && isError(value)) return value;
      frame.locals[slot] = second === undefined && !keys ? (value ?? null) : key;
      if (second !== undefined) frame.locals[slot + 1] = value ?? null;
      return frame.locals[slot] ?? null;
    };
    return run({ frame, range, condition, body, bind });
  };
}

function valueAt(range: ListValue | MapValue, key: Value, at: number, wanted: boolean): Result | undefined {
  if (!wanted) return undefined;
  return range.kind === "list" ? range.at(at) : range.get(key);
}

/** Implements `all` and `exists`. An error is returned only if no element decides the result. */
function search(decisive: boolean): RunLoop {
  return ({ frame, range, condition, bind }) => {
    let failure: Result | undefined;
    const { size } = range;
    for (let at = 0; at < size; at++) {
      const element = bind(at);
      if (isError(element)) return element;
      const result = condition(frame);
      if (result === decisive) return decisive;
      if (typeof result !== "boolean") failure ??= isError(result) ? result : noOverload();
    }
    return failure ?? !decisive;
  };
}

/** Calls `take` for each element that meets the condition. Stops at the first error and returns the error. */
function each({ frame, range, condition, bind }: Loop, take: (element: Value, at: number) => Result): Result {
  const { size } = range;
  for (let at = 0; at < size; at++) {
    const element = bind(at);
    if (isError(element)) return element;
    const holds = condition(frame);
    if (typeof holds !== "boolean") return isError(holds) ? holds : noOverload();
    if (!holds) continue;
    const taken = take(element, at);
    if (isError(taken)) return taken;
  }
  return null;
}

const runners: Readonly<Record<LoopNode["macro"], RunLoop>> = {
  all: search(false),
  exists: search(true),
  exists_one: (loop) => {
    let count = 0;
    const outcome = each(loop, () => {
      count++;
      return null;
    });
    return isError(outcome) ? outcome : count === 1;
  },
  filter: (loop) => {
    const kept: Value[] = [];
    const outcome = each(loop, (element) => {
      loop.frame.meter.spend(1);
      kept.push(element);
      return null;
    });
    return isError(outcome) ? outcome : listOf(kept);
  },
  map: transformedList,
  transformList: transformedList,
  transformMap: (loop) => {
    const entries: [Value, Value][] = [];
    const outcome = each(loop, (key) => {
      loop.frame.meter.spend(1);
      const value = loop.body(loop.frame);
      if (!isError(value)) entries.push([key, value]);
      return value;
    });
    return isError(outcome) ? outcome : mapOf(entries);
  },
  transformMapEntry: (loop) => {
    const entries: [Value, Value][] = [];
    const outcome = each(loop, () => {
      loop.frame.meter.spend(1);
      const made = loop.body(loop.frame);
      if (isError(made)) return made;
      if (typeof made !== "object" || made?.kind !== "map") return noOverload();
      const keys = made.keys();
      loop.frame.meter.work(keys.length);
      for (const key of keys) entries.push([key, valueOrNull(made.get(key))]);
      return null;
    });
    return isError(outcome) ? outcome : mapOf(entries);
  },
};

function valueOrNull(result: Result | undefined): Value {
  return result === undefined || isError(result) ? null : result;
}

function transformedList(loop: Loop): Result {
  const made: Value[] = [];
  const outcome = each(loop, () => {
    loop.frame.meter.spend(1);
    const value = loop.body(loop.frame);
    if (!isError(value)) made.push(value);
    return value;
  });
  return isError(outcome) ? outcome : listOf(made);
}

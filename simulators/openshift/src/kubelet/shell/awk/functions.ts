import type { AwkArray } from "./arrays.ts";
import { builtins } from "./builtins.ts";
import { formatted } from "./format.ts";
import type { Patterns } from "./patterns.ts";
import type { Steps } from "./run.ts";
import type { Expression, Target } from "./syntax.ts";
import { InputText, numberOf, textOf, type Value } from "./values.ts";

/** What awk's own functions need of the run. */
export interface FunctionWorld {
  value(expression: Expression): Steps<Value>;
  /** An expression to match with: written as one, or any text. */
  source(expression: Expression): Steps<string>;
  assign(target: Target, value: Value): Steps<Value>;
  array(name: string): AwkArray;
  isArray(name: string): boolean;
  set(name: string, value: Value): void;
  text(name: string): string;
  record(): string;
  now(): Date;
  close(file: string): Promise<number>;
  flush(): Promise<void>;
  readonly patterns: Patterns;
}

const maxText = 1_024 * 1_024;

/** Calls one of awk's own functions (POSIX awk, Functions). */
export function* callBuiltin(world: FunctionWorld, name: string, args: readonly Expression[]): Steps<Value> {
  const [least, most] = builtins[name] ?? [0, 0];
  if (args.length < least || args.length > most) throw new Error(`${name}: wrong number of arguments`);
  const [first, second, third] = args;
  if (name === "length" && first?.kind === "variable" && world.isArray(first.name))
    return world.array(first.name).size;
  if (name === "split" && first && second) return yield* split(world, first, second, third);
  if (name === "match" && first && second) return yield* match(world, first, second);
  if ((name === "sub" || name === "gsub") && first && second)
    return yield* substitute(world, name === "gsub", { pattern: first, replacement: second, target: third });
  const values: Value[] = [];
  for (const arg of args) values.push(yield* world.value(arg));
  if (name === "close") {
    let status = 0;
    yield world.close(textOf(values[0])).then((closed) => {
      status = closed;
    });
    return status;
  }
  if (name === "fflush") {
    yield world.flush();
    return 0;
  }
  if (name === "system") throw new Error("commands are not run from awk");
  return plain(world, name, values);
}

function plain(world: FunctionWorld, name: string, values: readonly Value[]): Value {
  const [first, second, third] = values;
  const text = textOf(first);
  const number = numberOf(first);
  switch (name) {
    case "length":
      return (values.length === 0 ? world.record() : text).length;
    case "substr": {
      const start = Math.round(numberOf(second));
      const end = values.length > 2 ? start + Math.round(numberOf(third)) : Infinity;
      return text.slice(Math.max(start, 1) - 1, Math.max(end, 1) - 1);
    }
    case "index":
      return text.indexOf(textOf(second)) + 1;
    case "sprintf":
      return formatted(text, values.slice(1));
    case "tolower":
      return text.toLowerCase();
    case "toupper":
      return text.toUpperCase();
    case "int":
      return Math.trunc(number);
    case "sqrt":
      return Math.sqrt(number);
    case "exp":
      return Math.exp(number);
    case "log":
      return Math.log(number);
    case "sin":
      return Math.sin(number);
    case "cos":
      return Math.cos(number);
    case "atan2":
      return Math.atan2(number, numberOf(second));
    case "rand":
      return Math.random();
    case "systime":
      return Math.floor(world.now().getTime() / 1_000);
    default:
      // srand gives the seed before; numbers are random without one.
      return 0;
  }
}

function* split(
  world: FunctionWorld,
  text: Expression,
  into: Expression,
  separator: Expression | undefined,
): Steps<Value> {
  if (into.kind !== "variable") throw new Error("split: the second argument is no array");
  const source = textOf(yield* world.value(text));
  const parts =
    separator === undefined
      ? world.patterns.split(source, world.text("FS"))
      : separator.kind === "regex"
        ? world.patterns.split(
            source,
            separator.source.length === 1 ? `[${separator.source}]` : separator.source,
          )
        : world.patterns.split(source, textOf(yield* world.value(separator)));
  const array = world.array(into.name);
  array.clear();
  for (const [index, part] of parts.entries()) array.set(String(index + 1), new InputText(part));
  return parts.length;
}

function* match(world: FunctionWorld, text: Expression, pattern: Expression): Steps<Value> {
  const subject = textOf(yield* world.value(text));
  const [span] = world.patterns.of(yield* world.source(pattern)).match(subject) ?? [];
  world.set("RSTART", span ? span[0] + 1 : 0);
  world.set("RLENGTH", span ? span[1] - span[0] : -1);
  return span ? span[0] + 1 : 0;
}

function* substitute(
  world: FunctionWorld,
  all: boolean,
  parts: {
    readonly pattern: Expression;
    readonly replacement: Expression;
    readonly target: Expression | undefined;
  },
): Steps<Value> {
  const target: Expression = parts.target ?? { kind: "field", index: { kind: "number", value: 0 } };
  if (target.kind !== "variable" && target.kind !== "element" && target.kind !== "field")
    throw new Error("sub: the third argument cannot be assigned to");
  const pattern = world.patterns.of(yield* world.source(parts.pattern));
  const replacement = textOf(yield* world.value(parts.replacement));
  const subject = textOf(yield* world.value(target));
  let out = "";
  let end = 0;
  let count = 0;
  for (const [[start, stop]] of pattern.matches(subject)) {
    const matched = subject.slice(start, stop);
    const put = replacement.replace(/\\\\|\\&|&/g, (each) =>
      each === "&" ? matched : each === "\\&" ? "&" : "\\",
    );
    out += subject.slice(end, start) + put;
    if (out.length > maxText) throw new Error("a text is too long");
    end = stop;
    count += 1;
    if (!all) break;
  }
  if (count > 0) yield* world.assign(target, out + subject.slice(end));
  return count;
}

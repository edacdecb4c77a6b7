import type { Overload } from "../functions/overload.ts";
import { parameterOf, type Type } from "../values/type.ts";
import type { Part } from "./part.ts";
import {
  costPer,
  exactly,
  limited,
  productOf,
  type SizeRange,
  sumOf,
  unionOf,
  unknownSize,
} from "./size-range.ts";

/** Call for which a cost is estimated. */
export interface EstimatedCall {
  readonly overload: Overload;
  /** Target of a method call. */
  readonly target: Part | undefined;
  /** Arguments without the target. */
  readonly args: readonly Part[];
  /** Returns the size of a list's elements. */
  readonly elementSize: (list: Part) => SizeRange;
}

/** Cost of a call, without the cost of its arguments. `size` is the size of the result, if the arguments determine the size. */
export interface CallCost {
  readonly cost: number;
  readonly size?: SizeRange;
}

type CostOfCall = (call: EstimatedCall) => CallCost;

/** Cost per character of a string. */
const perCharacter = 0.1;
/** Cost per character of a pattern. */
const perPatternCharacter = 0.25;
const newList = 10;
/** Maximum length of a named format's pattern. */
const longestFormatPattern = 128;
/** Maximum length of a format name. */
const longestFormat = 64;

const one: CostOfCall = () => ({ cost: 1 });

/**
 * Estimates the cost of a call. Default: 1. The costs equal the costs of cel-go and Kubernetes' libraries, so the same rules are
 * rejected as in Kubernetes.
 * @see cel-go checker/cost.go, ext/sets.go, ext/lists.go; k8s.io/apiserver pkg/cel/library/cost.go
 */
export function costOfCall(call: EstimatedCall): CallCost {
  const { name } = call.overload;
  const cost = Object.hasOwn(costs, name) ? costs[name] : undefined;
  return (cost ?? one)(call);
}

const sizeOf = (part: Part | undefined): SizeRange => part?.size() ?? unknownSize;
const typeAt = ({ overload }: EstimatedCall, at: number): Type | undefined => overload.parameters[at];
const isText = (type: Type | undefined) => type?.kind === "string" || type?.kind === "bytes";

const throughArgument: CostOfCall = ({ args }) => ({ cost: costPer(perCharacter, sizeOf(args[0])) });

/** Returns the cost of visiting each character of the target once. The call's result is at most as long as the target. */
const throughTarget: CostOfCall = ({ target }) => {
  const size = sizeOf(target);
  return { cost: costPer(perCharacter, size), size };
};

const patternOn = (text: SizeRange, pattern: SizeRange) =>
  limited(costPer(perCharacter, sumOf(text, exactly(1))) * costPer(perPatternCharacter, pattern));

const finding: CostOfCall = ({ target, args }) => {
  const text = sizeOf(target);
  return { cost: patternOn(text, sizeOf(args[0])), size: { min: 0, max: text.max } };
};

/** Returns the cost of visiting each list element or character once. */
const throughElements: CostOfCall = ({ target, elementSize }) => {
  if (!target) return { cost: 1 };
  const size = sizeOf(target);
  const [element] = target.type.parameters ?? [];
  if (!element) return { cost: costPer(perCharacter, size) };
  const each = 1 + (isText(element) ? costPer(perCharacter, elementSize(target)) : 0);
  return { cost: limited(size.max * each) };
};

const comparing: CostOfCall = (call) => {
  const [left, right] = call.args.map(sizeOf);
  return { cost: costPer(perCharacter, exactly(Math.min(left?.max ?? 0, right?.max ?? 0))) };
};

/** Only string comparisons have a cost per character. */
const ordering: CostOfCall = (call) =>
  isText(typeAt(call, 0)) && isText(typeAt(call, 1)) ? comparing(call) : { cost: 1 };

const equality: CostOfCall = (call) => {
  const [left, right] = call.args;
  if (left?.type.kind !== "opaque" || !right || left.type.name !== right.type.name) return comparing(call);
  switch (left.type.name) {
    case "net.IP":
    case "net.CIDR":
    case "kubernetes.Quantity":
    case "kubernetes.Semver":
      return { cost: 1 };
    case "kubernetes.NamedFormat":
      return { cost: costPer(perCharacter, exactly(longestFormat)) };
    case "kubernetes.URL":
      return { cost: costPer(perCharacter, right.size() ?? exactly(1)) };
    default:
      return comparing(call);
  }
};

const adding: CostOfCall = (call) => {
  const kind = typeAt(call, 0)?.kind;
  if (kind !== "list" && !isText(typeAt(call, 0))) return { cost: 1 };
  const [left, right] = call.args;
  const size = sumOf(sizeOf(left), sizeOf(right));
  return { cost: kind === "list" ? 1 : costPer(perCharacter, size), size };
};

const newListOf = (size: SizeRange, perElement = 1): CallCost => ({
  cost: limited(costPer(perElement, size) + 1 + newList),
  size,
});

const fromTarget =
  (cost: (size: SizeRange, call: EstimatedCall) => CallCost): CostOfCall =>
  (call) =>
    call.target ? cost(sizeOf(call.target), call) : { cost: 1 };

/** Returns the value of an int literal, or 0 if it is negative. Without a literal, returns `otherwise`. */
function count(part: Part | undefined, otherwise: number): number {
  if (part?.literal === undefined) return otherwise;
  return part.literal < 0n ? 0 : Number(part.literal);
}

const sets = (times: number): CostOfCall => {
  return ({ args: [left, right] }) => ({
    cost: limited(costPer(times, productOf(sizeOf(left), sizeOf(right))) + 1),
  });
};

const replacing: CostOfCall = ({ target, args }) => {
  const text = sizeOf(target);
  return {
    cost: costPer(2 * perCharacter, text),
    size: replacedSize(text, sizeOf(args[0]), sizeOf(args[1])),
  };
};

/**
 * Returns the size range of a string after replacements. If the search string is empty, the replacement is inserted around every
 * character. If the replacement is longer than the search string, the longest result occurs for a string that consists only of
 * the shortest possible search strings.
 */
function replacedSize(text: SizeRange, what: SizeRange, by: SizeRange): SizeRange {
  const longest =
    what.min === 0
      ? (text.max + 1) * by.max + text.max
      : by.max <= what.min
        ? text.max
        : Math.ceil(text.max / what.min) * by.max;
  const shortest =
    what.max === 0
      ? (text.min + 1) * by.min + text.min
      : what.max <= by.min
        ? text.min
        : Math.ceil(text.min / what.max) * by.min;
  return { min: limited(shortest), max: limited(longest) };
}

const joining: CostOfCall = ({ target, args: [separator], elementSize }) => {
  if (!target) return { cost: 1 };
  const list = sizeOf(target);
  const elements = target.type.parameters ? productOf(list, elementSize(target)) : exactly(0);
  const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const size = separator ? sumOf(elements, productOf(sizeOf(separator), gaps)) : elements;
  return { cost: costPer(perCharacter, size), size };
};

const splitting: CostOfCall = ({ target, args }) => {
  const text = sizeOf(target);
  const most = args[1]?.literal;
  const max = most === undefined ? text.max : most < 0n ? unknownSize.max : Number(most);
  return { cost: costPer(2 * perCharacter, text), size: { min: 0, max } };
};

/**
 * Returns the cost function for a call that tests whether a network contains an address or a second network. `comparisons` is the
 * constant part of the cost. If the argument is a string, the cost of parsing it is added, per character.
 */
const containing = (comparisons: number): CostOfCall => {
  return (call) => {
    const text = typeAt(call, 1)?.kind === "string" ? costPer(perCharacter, sizeOf(call.args[0])) : 0;
    return { cost: limited(comparisons + text) };
  };
};

const converting: CostOfCall = (call) => {
  if (!isText(typeAt(call, 0)) || typeAt(call, 0)?.kind === call.overload.result.kind) return { cost: 1 };
  const size = sizeOf(call.args[0]);
  const isToBytes = call.overload.result.kind === "bytes";
  return {
    cost: costPer(perCharacter, size),
    size: isToBytes
      ? { min: size.min, max: limited(size.max * 4) }
      : { min: Math.floor(size.min / 4), max: size.max },
  };
};

const costs: Readonly<Record<string, CostOfCall>> = {
  "_==_": equality,
  "_!=_": comparing,
  "_<_": ordering,
  "_<=_": ordering,
  "_>_": ordering,
  "_>=_": ordering,
  "_+_": adding,
  "@in": (call) => ({ cost: typeAt(call, 1)?.kind === "list" ? sizeOf(call.args[1]).max : 1 }),
  string: converting,
  bytes: converting,
  startsWith: throughArgument,
  endsWith: throughArgument,
  contains: ({ target, args }) => ({
    cost: limited(costPer(perCharacter, sizeOf(target)) * costPer(perCharacter, sizeOf(args[0]))),
  }),
  // cel-go's cost is 1 if `matches` is called as a function instead of a method.
  matches: ({ target, args }) => ({ cost: target ? patternOn(sizeOf(target), sizeOf(args[0])) : 1 }),
  format: ({ target }) => ({ cost: costPer(perCharacter, sizeOf(target)) }),
  "strings.quote": ({ args }) => {
    const { min, max } = sizeOf(args[0]);
    return {
      cost: costPer(perCharacter, { min, max }),
      // cel-go computes the result's size as twice the argument's size plus the quotes. If the argument's size is unknown, this
      // result overflows 64 bits and becomes 0.
      size: { min: min + 2, max: max === unknownSize.max ? 0 : limited(max * 2 + 2) },
    };
  },
  isSorted: throughElements,
  sum: throughElements,
  max: throughElements,
  min: throughElements,
  indexOf: throughElements,
  lastIndexOf: throughElements,
  url: ({ args }) => ({ cost: costPer(perCharacter, sizeOf(args[0])), size: sizeOf(args[0]) }),
  lowerAscii: throughTarget,
  upperAscii: throughTarget,
  substring: throughTarget,
  trim: throughTarget,
  replace: replacing,
  split: splitting,
  join: joining,
  find: finding,
  findAll: finding,
  cidr: throughArgument,
  isIP: throughArgument,
  isCIDR: throughArgument,
  ip: (call) => (call.overload.style === "function" ? throughArgument(call) : { cost: 1 }),
  "ip.isCanonical": ({ args }) => ({ cost: costPer(2 * perCharacter, sizeOf(args[0])) }),
  containsIP: containing(4),
  containsCIDR: containing(7),
  quantity: throughArgument,
  isQuantity: throughArgument,
  semver: throughArgument,
  isSemver: throughArgument,
  validate: ({ args }) => ({
    cost: costPer(
      longestFormatPattern * perPatternCharacter,
      exactly(costPer(perCharacter, sizeOf(args[0]))),
    ),
  }),
  "sets.contains": sets(1),
  "sets.intersects": sets(1),
  "sets.equivalent": sets(2),
  slice: fromTarget((size, { args }) => {
    const length = count(args[1], size.max) - count(args[0], 0);
    return newListOf(length < 0 ? unknownSize : exactly(length));
  }),
  "lists.range": ({ args }) => newListOf(exactly(count(args[0], unknownSize.max))),
  reverse: (call) => (typeAt(call, 0)?.kind === "list" ? newListOf(sizeOf(call.target)) : { cost: 1 }),
  flatten: fromTarget((size, { args }) => newListOf(size, args[0] ? count(args[0], unknownSize.max) : 1)),
  distinct: fromTarget((size) => newListOf(productOf(size, size), 2)),
  sort: fromTarget((size, { target }) => {
    const element = target && parameterOf(target.type);
    const isTexts = isText(element) || element?.kind === "dyn";
    return newListOf(productOf(size, size), isTexts ? 2 + perCharacter : 2);
  }),
};

/** Returns the maximum cost of a call that may use several overloads. */
export function anyOf(a: CallCost, b: CallCost): CallCost {
  const cost = Math.max(a.cost, b.cost);
  if (!a.size || !b.size) return { cost, ...((a.size ?? b.size) ? { size: a.size ?? b.size } : {}) };
  return { cost, size: unionOf(a.size, b.size) };
}

import { requestBudget } from "@keelson/apimachinery";
import { isPlainObject, type WorkBudget } from "@keelson/base";

type Step = (value: unknown, budget: WorkBudget) => readonly unknown[];

/**
 * Compiles the JSONPath of a printer column. Supported are fields (`.a`, `['a']`, `.a\.b`), indexes (`[0]`, `[-1]`), slices
 * (`[0:2]`), wildcards (`[*]`, `.*`) and recursive descent (`..a`). Filters (`[?(@.type=="Available")]`) may also use `!= < <= >
 * >=` or no comparison. The returned function finds all matches in document order.
 * @throws SyntaxError for an unsupported path
 */
export function compileJsonPath(path: string): (object: unknown, budget?: WorkBudget) => readonly unknown[] {
  const steps = parseSteps(path.trim());
  return (object, budget = requestBudget()) => walked(steps, object, budget);
}

/**
 * Applies the steps to an object. The budget limits the number of matches, because recursive descents can multiply them.
 * @throws WorkBudgetExceeded
 */
function walked(steps: readonly Step[], object: unknown, budget: WorkBudget): readonly unknown[] {
  return steps.reduce<readonly unknown[]>(
    (values, step) => {
      budget.spend(values.length);
      return values.flatMap((value) => step(value, budget));
    },
    [object],
  );
}

const tokens =
  /\.\.(?<descend>(?:\\.|[^.[\]\\])+)|\.(?<any>\*)|\.(?<name>(?:\\.|[^.[\]\\])+)|\[\s*(?:'(?<quoted>(?:\\.|[^'\\])*)'|"(?<doubleQuoted>(?:\\.|[^"\\])*)")\s*\]|\[(?<index>-?\d+)\]|\[(?<slice>-?\d*:-?\d*)\]|\[(?<all>\*)\]|\[\?\((?<filter>(?:"[^"]*"|'[^']*'|[^"')])*)\)\]|(?<root>\.?$)/y;

function parseSteps(path: string): readonly Step[] {
  const steps: Step[] = [];
  const text = path.startsWith("$") ? path.slice(1) : path;
  const source = /^[.[]/.test(text) ? text : `.${text}`;
  // The position is a local variable, because filters call this function recursively.
  for (let position = 0; position < source.length; ) {
    tokens.lastIndex = position;
    const match = tokens.exec(source);
    if (!match?.groups) throw new SyntaxError(`JSONPath ${path}: cannot read ${source.slice(position)}`);
    position += match[0].length;
    const step = stepOf(match.groups);
    if (!step) break;
    steps.push(step);
  }
  return steps;
}

function stepOf(groups: Readonly<Record<string, string | undefined>>): Step | undefined {
  const name = groups.name ?? groups.quoted ?? groups.doubleQuoted;
  if (name !== undefined) return member(withoutEscapes(name));
  if (groups.any !== undefined || groups.all !== undefined) return children;
  if (groups.index !== undefined) return element(Number(groups.index));
  if (groups.slice !== undefined) return slice(groups.slice);
  if (groups.filter !== undefined) return filter(groups.filter);
  if (groups.descend !== undefined) return descend(withoutEscapes(groups.descend));
  return undefined;
}

function withoutEscapes(name: string): string {
  return name.replace(/\\(.)/g, "$1");
}

function member(name: string): Step {
  return (value) => (isPlainObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);
}

function element(index: number): Step {
  return (value) => {
    const item = Array.isArray(value) ? value.at(index) : undefined;
    return item === undefined ? [] : [item];
  };
}

function slice(range: string): Step {
  const [from = "", to = ""] = range.split(":");
  return (value) =>
    Array.isArray(value)
      ? value.slice(from === "" ? 0 : Number(from), to === "" ? undefined : Number(to))
      : [];
}

function children(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isPlainObject(value) ? Object.values(value) : [];
}

function descend(name: string): Step {
  const own = member(name);
  return (value, budget) => {
    const found: unknown[] = [];
    const walk = (each: unknown): void => {
      budget.spend(1);
      for (const match of own(each, budget)) found.push(match);
      for (const child of children(each)) walk(child);
    };
    walk(value);
    return found;
  };
}

const comparisons: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  "==": (left, right) => left === right || order(left, right) === 0,
  "!=": (left, right) => left !== right && order(left, right) !== 0,
  "<": (left, right) => order(left, right) < 0,
  "<=": (left, right) => order(left, right) <= 0,
  ">": (left, right) => order(left, right) > 0,
  ">=": (left, right) => order(left, right) >= 0,
};

/** Compares two numbers or two strings. Returns NaN for other values, so all their comparisons are false. */
function order(left: unknown, right: unknown): number {
  if ((isNumber(left) && isNumber(right)) || (typeof left === "string" && typeof right === "string")) {
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return Number.NaN;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function filter(expression: string): Step {
  const match = /^\s*@(?<path>[^=!<>]*?)\s*(?:(?<operator>==|!=|<=|>=|<|>)\s*(?<literal>.*?))?\s*$/.exec(
    expression,
  );
  if (!match?.groups)
    throw new SyntaxError(`JSONPath filter ${expression}: expected @.path, a comparison and a value`);
  const { path = "", operator, literal = "" } = match.groups;
  const steps = path === "" ? [] : parseSteps(path);
  const find = (item: unknown, budget: WorkBudget) => walked(steps, item, budget);
  if (operator === undefined) {
    return (value, budget) => children(value).filter((item) => find(item, budget).length > 0);
  }
  const compare = comparisons[operator];
  const wanted = parseLiteral(literal);
  return (value, budget) =>
    children(value).filter((item) => find(item, budget).some((found) => compare?.(found, wanted)));
}

function parseLiteral(literal: string): unknown {
  const quoted = /^(?:'(.*)'|"(.*)")$/.exec(literal);
  if (quoted) return quoted[1] ?? quoted[2];
  if (literal === "true" || literal === "false") return literal === "true";
  const number = Number(literal);
  if (literal !== "" && !Number.isNaN(number)) return number;
  throw new SyntaxError(`JSONPath value ${literal}: expected a quoted string, a number, true or false`);
}

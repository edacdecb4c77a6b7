import type { JsonPrimitive } from "@keelson/base";

/** ARM template expression. ARM evaluates it at deployment. In JSON it is a string in square brackets. */
export class Expression {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Expression without its brackets, for use in a larger expression. */
  get text(): string {
    return this.#text;
  }

  /** Allows the use of expressions as property names. */
  toString(): string {
    return `[${this.#text}]`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Literal, or an expression with a result of this type. */
export type Value<T extends JsonPrimitive = string> = T | Expression;

/** Value in a resource body. Undefined properties are omitted. */
export type TemplateValue =
  | JsonPrimitive
  | Expression
  | readonly TemplateValue[]
  | { readonly [name: string]: TemplateValue | undefined };

/** Returns a function call: `call("concat", "a-", parameter)` is `[concat('a-', parameters('...'))]`. */
export function call(name: string, ...args: readonly Value<string | number | boolean>[]): Expression {
  return new Expression(`${name}(${args.map(argument).join(", ")})`);
}

/** Returns an expression for a property of a result. Example: `member(call("resourceGroup"), "location")`. */
export function member(of: Expression, ...path: readonly string[]): Expression {
  return new Expression([of.text, ...path].join("."));
}

export function concat(...parts: readonly Value[]): Value {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return call("concat", ...parts);
}

/** Returns the ID of a resource. Default scope: the deployment's own resource group and subscription. */
export function resourceId(
  type: string,
  names: readonly Value[],
  place: { readonly group?: Value; readonly subscriptionId?: Value } = {},
): Expression {
  const { group, subscriptionId } = place;
  const scope = [subscriptionId, group].filter((each) => each !== undefined);
  return call("resourceId", ...scope, type, ...names);
}

/** Returns the ID of a built-in role. */
export function builtInRole(id: string): Expression {
  return call("subscriptionResourceId", "Microsoft.Authorization/roleDefinitions", id);
}

export const groupLocation = member(call("resourceGroup"), "location");

function argument(value: Value<string | number | boolean>): string {
  if (value instanceof Expression) return value.text;
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

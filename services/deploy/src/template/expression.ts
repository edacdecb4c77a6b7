import type { JsonPrimitive } from "@keelson/base";

/** An expression of ARM's template language, computed at deployment; in brackets in JSON. */
export class Expression {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Expression without the brackets, for use in a larger expression. */
  get text(): string {
    return this.#text;
  }

  /** Allows expressions as property names. */
  toString(): string {
    return `[${this.#text}]`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A literal, or an expression that results in one. */
export type Value<T extends JsonPrimitive = string> = T | Expression;

/** Value in the body of a resource. Undefined properties are omitted. */
export type TemplateValue =
  | JsonPrimitive
  | Expression
  | readonly TemplateValue[]
  | { readonly [name: string]: TemplateValue | undefined };

/** Returns a function call: `call("concat", "a-", parameter)` is `[concat('a-', parameters('...'))]`. */
export function call(name: string, ...args: readonly Value<string | number | boolean>[]): Expression {
  return new Expression(`${name}(${args.map(argument).join(", ")})`);
}

/** Returns an expression for a property of a result: `member(call("resourceGroup"), "location")`. */
export function member(of: Expression, ...path: readonly string[]): Expression {
  return new Expression([of.text, ...path].join("."));
}

export function concat(...parts: readonly Value[]): Value {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return call("concat", ...parts);
}

/** Returns the ID of a resource in the deployment's own group, or in the named group and subscription. */
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

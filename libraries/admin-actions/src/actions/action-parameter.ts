import { CloudError } from "@keelson/arm";
import type { AdminRole } from "@keelson/auth";
import type { JsonValue } from "@keelson/base";
import { checkVmName } from "../context/object-rules.ts";

/** Input of an administrator's request, from which an action reads its parameters. */
export interface ActionInput {
  /** Returns a parameter of the query string. If a form created the input, the method also returns parameters of the path. */
  query(name: string): string | undefined;
  bodyBytes(): Uint8Array;
  json(): JsonValue;
  read<T>(read: (body: JsonValue) => T): T;
  hasRole(role: AdminRole): boolean;
  readonly reason: string | undefined;
}

/** One parameter of an action. */
export interface ActionParameter<T extends JsonValue = JsonValue> {
  /** Name of the query or path parameter. For a body parameter, a description of the body. */
  readonly name: string;
  /**
   * Location of the parameter. The value of a `caller` parameter is computed from the caller's role. Callers cannot set this
   * value, so the parameter is not documented.
   */
  readonly in: "query" | "body" | "path" | "caller";
  readonly type: "string" | "boolean" | "object";
  readonly default?: T;
  /** True if the action rejects an empty value. */
  readonly required?: boolean;
  /** Allowed values, compared without case. Default: every value is allowed. */
  readonly allowed?: readonly string[];
  /** Names of the fields in the body. */
  readonly fields?: readonly string[];
  /** @throws CloudError */
  read(input: ActionInput): T;
}

/** Declares a string parameter in the query. Default: an empty string. `check` throws for values that no cluster accepts. */
export function text(name: string, check?: (value: string) => void): ActionParameter<string> {
  return {
    name,
    in: "query",
    type: "string",
    read(input) {
      const value = input.query(name) ?? "";
      check?.(value);
      return value;
    },
  };
}

/** Returns a copy of the parameter that is marked as required. The parameter's `check` function must reject an empty value. */
export function required<T extends JsonValue>(parameter: ActionParameter<T>): ActionParameter<T> {
  return { ...parameter, required: true };
}

/** Name of one virtual machine of the cluster. */
export const vmName = required(text("vmName", checkVmName));

/**
 * Declares a boolean parameter in the query. Only one string changes the default: `true` if the default is false, and `false` if
 * the default is true. Every other string, for example `yes`, results in the default. Case is ignored. The original parses flags
 * the same way.
 */
export function flag(name: string, byDefault = false): ActionParameter<boolean> {
  return {
    name,
    in: "query",
    type: "boolean",
    default: byDefault,
    read: (input) => (input.query(name)?.toLowerCase() === `${!byDefault}`) !== byDefault,
  };
}

/** Declares a boolean parameter in the query. Default: false. Rejects strings that are not booleans. */
export function strictFlag(name: string): ActionParameter<boolean> {
  return {
    name,
    in: "query",
    type: "boolean",
    default: false,
    read: (input) => queryFlag(input, name),
  };
}

const words: Readonly<Record<string, boolean>> = {
  "1": true,
  t: true,
  true: true,
  "0": false,
  f: false,
  false: false,
};

/**
 * Reads a boolean from the query. Default: false.
 * @throws CloudError InvalidParameter for other values
 */
export function queryFlag(input: Pick<ActionInput, "query">, name: string): boolean {
  const value = input.query(name);
  if (value === undefined) return false;
  const found = Object.hasOwn(words, value.toLowerCase()) ? words[value.toLowerCase()] : undefined;
  if (found !== undefined) return found;
  throw new CloudError("InvalidParameter", `The query parameter '${name}' must be 'true' or 'false'.`, {
    target: name,
  });
}

/** Reads the JSON body. @throws CloudError InvalidRequestContent for an empty or invalid body */
export function requiredJson(input: ActionInput): JsonValue {
  if (input.bodyBytes().length === 0)
    throw new CloudError("InvalidRequestContent", "The request body must not be empty.");
  return input.json();
}

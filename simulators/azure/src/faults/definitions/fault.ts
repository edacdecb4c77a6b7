import { isPlainObject } from "@keelson/base";
import { type FaultKind, faultKinds, services, verbs } from "./fault-kinds.ts";

export type Service = (typeof services)[number];
export type Verb = (typeof verbs)[number];

/** Fault with the parameters that select its requests. `faultKinds` documents the parameters of each kind. */
export interface Fault {
  readonly kind: FaultKind;
  readonly service?: Service;
  readonly type?: string;
  readonly except?: string;
  readonly verb?: Verb;
  readonly scope?: string;
  readonly clientId?: string;
  readonly percent?: number;
  readonly skip?: number;
  readonly count?: number;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  readonly delayMs?: number;
  readonly when?: "before" | "after";
}

/** Active fault with its numbers of matched and affected requests. */
export interface FaultInForce {
  readonly name: string;
  readonly fault: Fault;
  readonly matched: number;
  readonly injected: number;
}

const choices: Readonly<Record<string, readonly string[]>> = {
  service: services,
  verb: verbs,
  when: ["before", "after"],
};

/** Returns the reason why a value is not a valid fault. Returns `undefined` for a valid fault. */
export function faultProblem(value: unknown): string | undefined {
  if (!isPlainObject(value)) return "a fault is an object with a 'kind'";
  const { kind, ...given } = value;
  const facts = Object.entries(faultKinds).find(([name]) => name === kind)?.[1];
  if (!facts) return `unknown kind "${String(kind)}": it is one of ${Object.keys(faultKinds).join(", ")}`;
  const parameters = Object.entries(facts.parameters);
  for (const [name, each] of Object.entries(given)) {
    const parameter = parameters.find(([known]) => known === name)?.[1];
    if (!parameter) {
      return `${kind} has no parameter "${name}": it has ${parameters.map(([known]) => known).join(", ")}`;
    }
    const problem = parameterProblem(name, parameter.type, each);
    if (problem) return `${kind}: ${problem}`;
  }
  const missing = parameters.find(([name, { required }]) => required && given[name] === undefined);
  if (missing) return `${kind} needs the parameter ${missing[0]}`;
  const { status } = given;
  const least = kind === "server-error" ? 500 : 400;
  if (status !== undefined && !(Number(status) >= least && Number(status) <= 599)) {
    return `${kind}: status must be ${least} to 599`;
  }
  return undefined;
}

export function isFault(value: unknown): value is Fault {
  return faultProblem(value) === undefined;
}

function parameterProblem(name: string, type: string, value: unknown): string | undefined {
  const allowed = choices[name];
  if (allowed && !allowed.some((each) => each === value))
    return `${name} must be one of ${allowed.join(", ")}`;
  if (type === "text")
    return typeof value === "string" && value !== "" ? undefined : `${name} must be a string`;
  const isWhole = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  if (!isWhole) return `${name} must be a whole number`;
  return type === "percent" && (value < 1 || value > 100) ? `${name} must be 1 to 100` : undefined;
}

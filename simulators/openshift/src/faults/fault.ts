import { isPlainObject } from "@keelson/base";
import { errors } from "../base/errors.ts";
import { type FaultKind, type FaultParameter, faultKinds, isFaultKind } from "./fault-kinds.ts";

/** Fault that was injected by a request. */
export interface Fault {
  readonly id: string;
  readonly kind: FaultKind;
  /** Name or infrastructure ID of the target cluster. Default: all clusters. */
  readonly cluster?: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Fault request without an ID. */
export type FaultRequest = Omit<Fault, "id">;

const members: ReadonlySet<string> = new Set(["kind", "cluster", "parameters"]);

/** Parses `{ kind, cluster?, parameters? }`. @throws InvalidFault with the reason */
export function parseFault(value: unknown): FaultRequest {
  if (!isPlainObject(value)) throw errors.InvalidFault("a fault is a JSON object");
  for (const member of Object.keys(value))
    if (!members.has(member)) throw errors.InvalidFault(`unknown field ${JSON.stringify(member)}`);
  const { kind, cluster, parameters = {} } = value;
  if (typeof kind !== "string" || !isFaultKind(kind))
    throw errors.InvalidFault(
      `unknown kind ${JSON.stringify(kind)}: it is one of ${Object.keys(faultKinds).join(", ")}`,
    );
  if (cluster !== undefined && (typeof cluster !== "string" || cluster === ""))
    throw errors.InvalidFault("cluster must be a name");
  if (!isPlainObject(parameters)) throw errors.InvalidFault("parameters must be an object");
  return { kind, ...(cluster ? { cluster } : {}), parameters: parseParameters(kind, parameters) };
}

function parseParameters(
  kind: FaultKind,
  given: Readonly<Record<string, unknown>>,
): Record<string, string | number> {
  const facts: Readonly<Record<string, FaultParameter>> = faultKinds[kind].parameters;
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(facts, name));
  if (unknown !== undefined)
    throw errors.InvalidFault(
      `${kind} has no parameter ${JSON.stringify(unknown)}: it has ${Object.keys(facts).join(", ")}`,
    );
  const parsed: [string, string | number][] = [];
  for (const [name, parameter] of Object.entries(facts)) {
    const value = given[name];
    if (value === undefined && parameter.required)
      throw errors.InvalidFault(`${kind} needs the parameter ${name}: ${parameter.description}`);
    if (value !== undefined) parsed.push([name, parseParameter(name, parameter, value)]);
  }
  return Object.fromEntries(parsed);
}

/** Validates a parameter. Accepts numeric strings because command lines send only strings. */
function parseParameter(name: string, { type }: FaultParameter, value: unknown): string | number {
  if (type === "text") {
    if (typeof value !== "string" || value === "") throw errors.InvalidFault(`${name} must be a string`);
    return value;
  }
  const parsed = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof parsed !== "number" || !Number.isFinite(parsed))
    throw errors.InvalidFault(`${name} must be a number`);
  if (type === "percent" && (parsed <= 0 || parsed > 100))
    throw errors.InvalidFault(`${name} must be above 0 and at most 100`);
  if (name === "code" && !(Number.isInteger(parsed) && parsed >= 400 && parsed <= 599))
    throw errors.InvalidFault(`${name} must be a whole number from 400 to 599`);
  if (name !== "skewMs" && parsed < 0) throw errors.InvalidFault(`${name} must not be negative`);
  return parsed;
}

/**
 * True if the fault applies to the cluster. A fault can specify the infrastructure ID or the cluster name, which is a prefix of
 * the infrastructure ID.
 */
export function concernsCluster({ cluster }: Pick<Fault, "cluster">, infraId: string): boolean {
  return cluster === undefined || cluster === infraId || infraId.replace(/-[a-z0-9]{5}$/, "") === cluster;
}

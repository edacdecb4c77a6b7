import { isPlainObject } from "@keelson/base";
import { badRequest } from "./errors/cosmos-error.ts";

/** Container definition, parsed from the request that created the container. */
export interface ContainerDefinition {
  readonly id: string;
  /** Name of the field with the partition key. */
  readonly partitionKeyMember: string;
  /**
   * Default time to live in seconds after the last write. `undefined` means that items never expire. -1 means that only items
   * with an individual time to live expire.
   */
  readonly defaultTtl: number | undefined;
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  /**
   * Unique keys. Each key is a list of paths. Within a logical partition, two items may not have equal values at all paths of a
   * key.
   */
  readonly uniqueKeys: readonly (readonly string[][])[];
  /** Request body that defined the container. Responses return this body. */
  readonly sent: Readonly<Record<string, unknown>>;
}

export function idOf(body: unknown): string {
  const id = isPlainObject(body) ? body.id : undefined;
  if (typeof id !== "string" || id === "") throw badRequest("The input has no id.");
  return checkedId(id);
}

const longestId = 1_023;

export function checkedId(id: string): string {
  if (/[/\\?#]/.test(id) || Buffer.byteLength(id) > longestId || !id.isWellFormed()) {
    throw badRequest(`The id has a character that ids cannot have, or more than ${longestId} bytes.`);
  }
  return id;
}

/** Parses a container definition. @throws CosmosError */
export function containerDefinition(body: unknown): ContainerDefinition {
  const id = idOf(body);
  if (!isPlainObject(body)) throw badRequest("The input is not a container.");
  const { partitionKey, indexingPolicy, defaultTtl, uniqueKeyPolicy } = body;
  const [path, second] = textsOf(isPlainObject(partitionKey) ? partitionKey.paths : undefined);
  if (path === undefined || second !== undefined || !/^\/[A-Za-z_]\w*$/.test(path)) {
    throw badRequest("The partition key must be one path of one step.");
  }
  const policy = isPlainObject(indexingPolicy) ? indexingPolicy : { includedPaths: [{ path: "/*" }] };
  if (defaultTtl !== undefined && (!Number.isInteger(defaultTtl) || defaultTtl === 0)) {
    throw badRequest("defaultTtl is -1 or a positive number of seconds.");
  }
  const unique = isPlainObject(uniqueKeyPolicy) ? uniqueKeyPolicy.uniqueKeys : [];
  return {
    id,
    partitionKeyMember: path.slice(1),
    defaultTtl: typeof defaultTtl === "number" ? defaultTtl : undefined,
    included: pathsOf(policy.includedPaths),
    excluded: pathsOf(policy.excludedPaths),
    uniqueKeys: (Array.isArray(unique) ? unique : []).map((key: unknown) =>
      textsOf(isPlainObject(key) ? key.paths : []).map((each) => each.slice(1).split("/")),
    ),
    sent: body,
  };
}

/** True if the indexing policy includes the path. If several paths of the policy match, the most specific path applies. */
export function isIndexed({ included, excluded }: ContainerDefinition, steps: readonly string[]): boolean {
  const path = `/${steps.join("/")}/?`;
  const longest = (paths: readonly string[]) =>
    Math.max(-1, ...paths.filter((each) => covers(each, path)).map((each) => each.length));
  return longest(included) > longest(excluded);
}

function covers(pattern: string, path: string): boolean {
  const plain = pattern.replaceAll('"', "");
  return plain.endsWith("/*") ? path.startsWith(plain.slice(0, -1)) : plain === path;
}

function pathsOf(paths: unknown): string[] {
  return Array.isArray(paths)
    ? paths.map((each: unknown) => String(isPlainObject(each) ? each.path : ""))
    : [];
}

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

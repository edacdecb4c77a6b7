import { ArmError } from "./arm-error.ts";

/**
 * Parsed path of a provider's resource: `{scope}/providers/{namespace}/{type}/{name}/...`. Names keep the caller's letter case.
 */
export interface ProviderPath {
  /** ID of a subscription, resource group or resource. Empty for the tenant. */
  readonly scope: string;
  readonly namespace: string;
  /** Types in the path, for example `["virtualNetworks", "subnets"]`. */
  readonly types: readonly string[];
  /** Names in the path. `names` has one entry less than `types` if the path ends with a collection, an action or a view. */
  readonly names: readonly string[];
}

/**
 * Returns the decoded segments of a request path. Repeated slashes are ignored.
 * @throws ArmError 400 for a segment that is ambiguous after decoding
 */
export function pathSegments(path: string): readonly string[] {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => {
      const decoded = decode(segment);
      if (decoded === undefined || decoded === "." || decoded === ".." || hasForbiddenCharacter(decoded)) {
        throw new ArmError(400, "InvalidRequestUri", `The request URI has an invalid segment: '${segment}'.`);
      }
      return decoded;
    });
}

/** Parses the path of a provider's resource. Returns `undefined` if the path has no provider. */
export function parseProviderPath(segments: readonly string[]): ProviderPath | undefined {
  const at = segments.findLastIndex((segment) => segment.toLowerCase() === "providers");
  const namespace = segments[at + 1];
  if (at < 0 || namespace === undefined) return undefined;
  const rest = segments.slice(at + 2);
  if (rest.length === 0) return undefined;
  const scope = segments.slice(0, at);
  return {
    scope: scope.length === 0 ? "" : `/${scope.join("/")}`,
    namespace,
    types: rest.filter((_, index) => index % 2 === 0),
    names: rest.filter((_, index) => index % 2 === 1),
  };
}

/** Parses a resource ID. Returns `undefined` if the string is not a resource ID. */
export function parseResourceId(id: string): ProviderPath | undefined {
  const path = parseProviderPath(id.split("/").filter((segment) => segment !== ""));
  return path && path.types.length === path.names.length ? path : undefined;
}

/**
 * Returns the lookup key of an ID. IDs that differ only in letter case have equal keys, because ARM compares IDs
 * case-insensitively.
 */
export function keyOf(id: string): string {
  return id.toLowerCase();
}

export function sameId(a: string, b: string): boolean {
  return keyOf(a) === keyOf(b);
}

/** Returns the ID without its last type and name. For a child resource, this is the parent's ID. */
export function parentId(id: string): string {
  return id.split("/").slice(0, -2).join("/");
}

export function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

const groupPattern = /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+/i;

/** Returns the ID of the resource group that contains the resource. */
export function groupIdOf(id: string): string | undefined {
  return groupPattern.exec(id)?.[0];
}

export function subscriptionOf(id: string): string | undefined {
  return /^\/subscriptions\/([^/]+)/i.exec(id)?.[1];
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function hasForbiddenCharacter(text: string): boolean {
  for (const character of text) {
    if (character < " " || character === "/" || character === "\\" || character === "\u007f") return true;
  }
  return false;
}

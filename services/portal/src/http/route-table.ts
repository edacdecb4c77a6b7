import type { PortalRoute } from "./portal-route.ts";

export interface MatchedRoute {
  readonly route: PortalRoute;
  readonly parameters: ReadonlyMap<string, string>;
}

type Segments = readonly string[];

/** Finds the route of a request. Paths are compared in lower case, as the original does. */
export class RouteTable {
  readonly #routes: readonly { readonly route: PortalRoute; readonly segments: Segments }[];

  /** Of two routes that match, the first is taken. */
  constructor(routes: readonly PortalRoute[]) {
    this.#routes = routes.map((route) => ({ route, segments: route.path.split("/") }));
  }

  /** The route; where only other methods have one, those; `undefined` where the path is none. */
  find(method: string, path: string): MatchedRoute | { readonly allowed: readonly string[] } | undefined {
    const asked = segmentsOf(path);
    if (!asked) return undefined;
    const allowed: string[] = [];
    for (const { route, segments } of this.#routes) {
      const parameters = match(segments, asked);
      if (!parameters) continue;
      if (route.method === method || (route.method === "GET" && method === "HEAD"))
        return { route, parameters };
      allowed.push(route.method);
    }
    return allowed.length > 0 ? { allowed } : undefined;
  }
}

/** Decoded, in lower case; `undefined` for a path that another server could read otherwise. */
function segmentsOf(path: string): Segments | undefined {
  try {
    const segments = path.split("/").map((segment) => decodeURIComponent(segment).toLowerCase());
    const isPlain = segments.every((each) => each !== "." && each !== ".." && !/[/\\\p{Cc}]/u.test(each));
    return isPlain ? segments : undefined;
  } catch {
    return undefined;
  }
}

function match(pattern: Segments, asked: Segments): ReadonlyMap<string, string> | undefined {
  const isOpen = pattern.at(-1) === "{*}";
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (isOpen ? asked.length < fixed.length : asked.length !== fixed.length) return undefined;
  const parameters = new Map<string, string>();
  for (const [index, expected] of fixed.entries()) {
    const actual = asked[index] ?? "";
    const [, name] = /^\{(\w+)\}$/.exec(expected) ?? [];
    if (name === undefined ? actual !== expected : actual === "") return undefined;
    if (name !== undefined) parameters.set(name, actual);
  }
  return parameters;
}

import { PathPattern } from "@keelson/http";
import type { PortalRoute } from "./portal-route.ts";

export interface MatchedRoute {
  readonly route: PortalRoute;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Finds the route of a request. Paths are compared in lower case, as the original does. */
export class RouteTable {
  readonly #routes: readonly { readonly route: PortalRoute; readonly pattern: PathPattern }[];

  /** Of two routes that match, the first is taken. */
  constructor(routes: readonly PortalRoute[]) {
    this.#routes = routes.map((route) => ({ route, pattern: new PathPattern(route.path) }));
  }

  /** The route; where only other methods have one, those; `undefined` where the path is none. */
  find(method: string, path: string): MatchedRoute | { readonly allowed: readonly string[] } | undefined {
    const asked = segmentsOf(path);
    if (!asked) return undefined;
    const allowed: string[] = [];
    for (const { route, pattern } of this.#routes) {
      const match = pattern.match(asked);
      if (!match) continue;
      if (route.method === method || (route.method === "GET" && method === "HEAD"))
        return { route, parameters: match.names };
      allowed.push(route.method);
    }
    return allowed.length > 0 ? { allowed } : undefined;
  }
}

/** Decoded, in lower case; `undefined` for a path that another server could read otherwise. */
function segmentsOf(path: string): readonly string[] | undefined {
  try {
    const segments = path.split("/").map((segment) => decodeURIComponent(segment).toLowerCase());
    const isPlain = segments.every((each) => each !== "." && each !== ".." && !/[/\\\p{Cc}]/u.test(each));
    return isPlain ? segments : undefined;
  } catch {
    return undefined;
  }
}

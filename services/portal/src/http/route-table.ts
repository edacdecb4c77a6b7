import { PathPattern } from "@keelson/http";
import type { PortalRoute } from "./portal-route.ts";

export interface MatchedRoute {
  readonly route: PortalRoute;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Finds the route of a request. As in the Azure/ARO-RP portal, paths are compared in lower case. */
export class RouteTable {
  readonly #routes: readonly { readonly route: PortalRoute; readonly pattern: PathPattern }[];

  /** `routes` are in order of precedence. If several routes match, the first one is used. */
  constructor(routes: readonly PortalRoute[]) {
    this.#routes = routes.map((route) => ({ route, pattern: new PathPattern(route.path) }));
  }

  /**
   * Returns the route for a request. If the path exists but does not support the method, returns the allowed methods. Undefined
   * for an unknown path.
   */
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

/** Returns the decoded segments of a path in lower case. Undefined if a different server could interpret the path differently. */
function segmentsOf(path: string): readonly string[] | undefined {
  try {
    const segments = path.split("/").map((segment) => decodeURIComponent(segment).toLowerCase());
    const isPlain = segments.every((each) => each !== "." && each !== ".." && !/[/\\\p{Cc}]/u.test(each));
    return isPlain ? segments : undefined;
  } catch {
    return undefined;
  }
}

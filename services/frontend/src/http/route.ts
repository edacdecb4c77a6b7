import type { Service } from "../service/service.ts";
import type { RequestContext } from "./messages/request-context.ts";
import type { Response } from "./messages/response.ts";
import type { VersionRule } from "./messages/version-rule.ts";

/** Declaration of one API operation. */
export interface Route {
  readonly method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  /** Path pattern in lower case. Parameters have the names of `PathParameters`, in the form `:name`. */
  readonly path: string;
  readonly versions: VersionRule;
  /**
   * Default: the authorizer accepts or rejects the caller before the body is read. `none`: the route is public and requests are
   * not audited.
   */
  readonly authorization?: "none";
  /** True if the route may exceed the usual time limit. */
  readonly unlimited?: boolean;
  readonly handle: (request: RequestContext, service: Service) => Promise<Response> | Response;
}

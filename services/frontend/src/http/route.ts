import type { Service } from "../service/service.ts";
import type { Answer } from "./messages/answer.ts";
import type { RequestContext } from "./messages/request-context.ts";
import type { VersionRule } from "./messages/version-rule.ts";

/** Operation of the API, as data. */
export interface Route {
  readonly method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  /** Lower-case path with the parameters of `PathParameters` as `:name`. */
  readonly path: string;
  readonly versions: VersionRule;
  /** `caller`: the authorizer decides before anything else is read. `none`: public and not audited. */
  readonly authorization: "caller" | "none";
  /** True if the route can exceed the usual time limit. */
  readonly unlimited?: boolean;
  readonly handle: (request: RequestContext, service: Service) => Promise<Answer> | Answer;
}

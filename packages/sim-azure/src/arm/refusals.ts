import { ArmError } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";

/** Answers one method, and HEAD where that is GET; refuses the others. */
export function only(request: ArmRequest, method: string, answer: () => ArmResponse): ArmResponse {
  const asked = request.method === "HEAD" ? "GET" : request.method;
  if (asked !== method) throw methodNotAllowed(request);
  return answer();
}

export function methodNotAllowed(request: ArmRequest): ArmError {
  return new ArmError(
    405,
    "HttpMethodNotAllowed",
    `The request method '${request.method}' is not supported here.`,
  );
}

export function noRoute(request: ArmRequest): ArmError {
  return new ArmError(
    404,
    "InvalidRequestUri",
    `The request URI '/${request.segments.join("/")}' is not one of Azure Resource Manager.`,
  );
}

import { ArmError } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";

/** Accepts one method, and HEAD if that is GET. Rejects all others. */
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

/** Header of errors of Azure Resource Manager itself, in contrast to those of resource providers. */
export const fromGateway = { "x-ms-failure-cause": "gateway" };

/** `named` consists of namespace, types and names: `Microsoft.Network/virtualNetworks/vnet`. */
export function resourceNotFound(named: string, group: string): ArmError {
  return new ArmError(
    404,
    "ResourceNotFound",
    `The Resource '${named}' under resource group '${group}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
    { headers: fromGateway },
  );
}

export function noRoute(request: ArmRequest): ArmError {
  return new ArmError(
    404,
    "InvalidRequestUri",
    `The request URI '/${request.segments.join("/")}' is not one of Azure Resource Manager.`,
  );
}

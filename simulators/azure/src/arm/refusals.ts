import { ArmError } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";

/** Accepts one method and rejects all other methods. If the method is GET, HEAD is also accepted. */
export function only(request: ArmRequest, method: string, response: () => ArmResponse): ArmResponse {
  const asked = request.method === "HEAD" ? "GET" : request.method;
  if (asked !== method) throw methodNotAllowed(request);
  return response();
}

export function methodNotAllowed(request: ArmRequest): ArmError {
  return new ArmError(
    405,
    "HttpMethodNotAllowed",
    `The request method '${request.method}' is not supported here.`,
  );
}

/** Header of error responses that Azure Resource Manager itself returns. Errors of resource providers lack this header. */
export const fromGateway = { "x-ms-failure-cause": "gateway" };

/** Returns a 404 error. `named` contains namespace, types and names, for example `Microsoft.Network/virtualNetworks/vnet`. */
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

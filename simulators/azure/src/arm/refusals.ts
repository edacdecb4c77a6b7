import { ArmError } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";

/** Accepts one method. HEAD is accepted with GET. All other methods are rejected. */
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

/** Response header of errors that Azure Resource Manager itself returns. Resource providers do not send it. */
export const fromGateway = { "x-ms-failure-cause": "gateway" };

/** Returns a 404 error. `named` contains namespace, types and names: `Microsoft.Network/virtualNetworks/vnet`. */
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

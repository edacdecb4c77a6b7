import { CloudError, clusterType, providerNamespace } from "@keelson/arm";

/** Decoded lower-case parameters of a path. The route's pattern determines which parameters are set. */
export interface PathParameters {
  readonly subscriptionId?: string;
  readonly resourceGroup?: string;
  readonly namespace?: string;
  readonly type?: string;
  readonly name?: string;
  readonly location?: string;
  readonly operationId?: string;
  readonly actionId?: string;
  readonly openShiftVersion?: string;
  readonly openShiftMinorVersion?: string;
  readonly deployment?: string;
  readonly syncSetName?: string;
  readonly hiveResource?: string;
  readonly manifestId?: string;
  readonly scheduleId?: string;
  readonly billingDocumentId?: string;
}

/** Checks the parameters and throws a CloudError for the first invalid parameter. */
export type ParameterCheck = (parameters: PathParameters, apiVersion: string) => void;

interface Rule {
  readonly parameter: keyof PathParameters;
  readonly accepts: (value: string, location: string) => boolean;
  readonly refusal: (value: string, parameters: PathParameters, apiVersion: string) => CloudError;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const groupOrName = /^[-a-z0-9_().]{0,89}[-a-z0-9_()]$/;

/**
 * Rules for path parameters, in order. If several rules are violated, the first violation is returned. Source: Azure/ARO-RP
 * pkg/frontend/middleware/validate.go.
 */
const rules: readonly Rule[] = [
  {
    parameter: "subscriptionId",
    accepts: (value) => uuid.test(value),
    refusal: (value) =>
      new CloudError(
        "InvalidSubscriptionID",
        `The provided subscription identifier '${value}' is malformed or invalid.`,
      ),
  },
  {
    parameter: "resourceGroup",
    accepts: (value) => groupOrName.test(value),
    refusal: (value) =>
      new CloudError("ResourceGroupNotFound", `Resource group '${value}' could not be found.`),
  },
  {
    parameter: "namespace",
    accepts: (value) => value === providerNamespace.toLowerCase(),
    refusal: (value) =>
      new CloudError("InvalidResourceNamespace", `The resource namespace '${value}' is invalid.`),
  },
  {
    parameter: "type",
    accepts: (value) => value === clusterType.toLowerCase(),
    refusal: (_, parameters, apiVersion) => typeNotFound(parameters, apiVersion),
  },
  {
    parameter: "name",
    accepts: (value) => groupOrName.test(value),
    refusal: (value, { namespace, type, resourceGroup }) =>
      new CloudError(
        "ResourceNotFound",
        `The Resource '${namespace}/${type}/${value}' under resource group '${resourceGroup}' was not found.`,
        { status: 400 },
      ),
  },
  {
    // Accepts the display name of a region too, for example "East US" for eastus, because some clients send it.
    parameter: "location",
    accepts: (value, location) => value.replaceAll(" ", "") === location,
    refusal: (value) =>
      new CloudError("InvalidLocation", `The provided location '${value}' is malformed or invalid.`),
  },
  {
    parameter: "operationId",
    accepts: (value) => uuid.test(value),
    refusal: invalidOperationId,
  },
  { parameter: "actionId", accepts: (value) => uuid.test(value), refusal: invalidOperationId },
];

function invalidOperationId(value: string): CloudError {
  return new CloudError(
    "InvalidOperationID",
    `The provided operation identifier '${value}' is malformed or invalid.`,
  );
}

/** Returns the parameter check of a route's path. `location` is the region of this resource provider. */
export function parameterCheck(path: string, location: string): ParameterCheck {
  const region = location.toLowerCase().replaceAll(" ", "");
  const applicable = rules.filter((rule) => path.split("/").includes(`:${rule.parameter}`));
  return (parameters, apiVersion) => {
    for (const rule of applicable) {
      const value = parameters[rule.parameter] ?? "";
      if (!rule.accepts(value, region)) throw rule.refusal(value, parameters, apiVersion);
    }
  };
}

/** Returns the error for a resource type or operation that does not exist in this API version. */
export function typeNotFound(parameters: PathParameters, apiVersion: string): CloudError {
  return new CloudError(
    "InvalidResourceType",
    `The resource type '${parameters.type ?? ""}' could not be found in the namespace '${parameters.namespace ?? ""}' for api version '${apiVersion}'.`,
  );
}

import { cutText } from "@keelson/base";

/**
 * ARM error codes with their default HTTP status. Clients receive both the code and the status. The wire form is
 * `{"error":{"code","message","target"?,"details"?}}`.
 */
export const cloudErrorStatus = {
  CannotDeleteLoadBalancerWithPrivateLinkService: 400,
  ClusterResourceGroupAlreadyExists: 400,
  Conflict: 409,
  DeploymentFailed: 400,
  DuplicateClientID: 400,
  DuplicateDomain: 400,
  DuplicateResourceGroup: 400,
  Forbidden: 403,
  InUseSubnetCannotBeDeleted: 400,
  InternalServerError: 500,
  InvalidCIDRRange: 400,
  InvalidClusterMSIPermissions: 400,
  InvalidLinkedDiskEncryptionSet: 400,
  InvalidLinkedNatGateway: 400,
  InvalidLinkedRouteTable: 400,
  InvalidLinkedSubnet: 400,
  InvalidLinkedVNet: 400,
  InvalidLocation: 400,
  InvalidNetworkAddress: 400,
  InvalidOperationID: 400,
  InvalidParameter: 400,
  InvalidPlatformWorkloadIdentity: 400,
  InvalidRequestContent: 400,
  InvalidResource: 400,
  InvalidResourceID: 400,
  InvalidResourceNamespace: 400,
  InvalidResourceProviderPermissions: 400,
  InvalidResourceType: 400,
  InvalidServicePrincipalClaims: 400,
  InvalidServicePrincipalCredentials: 400,
  InvalidServicePrincipalPermissions: 400,
  InvalidServicePrincipalToken: 400,
  InvalidSubscriptionID: 400,
  InvalidSubscriptionState: 400,
  InvalidWorkloadIdentityPermissions: 400,
  MismatchingResourceID: 400,
  MismatchingResourceName: 400,
  MismatchingResourceType: 400,
  NotFound: 404,
  OperationsThrottled: 429,
  PlatformWorkloadIdentityContainsInvalidCredential: 400,
  PlatformWorkloadIdentityMismatch: 400,
  PreconditionFailed: 412,
  PropertyChangeNotAllowed: 400,
  QuotaExceeded: 400,
  RequestDisallowedByPolicy: 400,
  RequestNotAllowed: 400,
  ResourceGroupNotFound: 400,
  ResourceNotFound: 404,
  ResourceProviderNotRegistered: 400,
  ResourceQuotaExceeded: 400,
  ScopeLocked: 409,
  ServiceUnavailable: 503,
  SubscriptionRequestsThrottled: 429,
  ThrottlingLimitExceeded: 429,
  UnsupportedMediaType: 415,
} as const satisfies Record<string, number>;

export type CloudErrorCode = keyof typeof cloudErrorStatus;

/** Error in the body of an ARM response. Each entry of `details` has the form of this object. */
export interface CloudErrorBody {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
  readonly details?: readonly CloudErrorBody[];
}

export interface CloudErrorOptions extends ErrorOptions {
  /** Path of the invalid field, for example `properties.masterProfile.vmSize`. */
  readonly target?: string | undefined;
  readonly details?: readonly CloudErrorBody[] | undefined;
  /** HTTP status. Default: the usual status of the error code. */
  readonly status?: number;
  /** Headers of the response, for example `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Original error code of an external service. */
  readonly foreignCode?: string | undefined;
}

/**
 * Maximum message length in characters. Error messages are printed by clients and stored in operations, and may contain external
 * input.
 */
const maxMessage = 16_384;

/** Error that clients of the ARM API receive with this code and message. The message must therefore not contain secrets. */
export class CloudError extends Error {
  readonly status: number;
  readonly body: CloudErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: CloudErrorCode, message: string, options: CloudErrorOptions = {}) {
    const shown = cutText(message, maxMessage);
    super(shown, options);
    this.name = "CloudError";
    this.status = options.status ?? cloudErrorStatus[code];
    this.headers = options.headers ?? {};
    this.body = {
      code: options.foreignCode ?? code,
      message: shown,
      ...(options.target ? { target: options.target } : {}),
      ...(options.details && options.details.length > 0 ? { details: options.details } : {}),
    };
  }
}

/**
 * Returns the error that the client receives. A CloudError is returned unchanged. Every other error becomes a generic
 * `InternalServerError`.
 */
export function asCloudError(error: unknown): CloudError {
  if (error instanceof CloudError) return error;
  return new CloudError("InternalServerError", "Internal server error.", { cause: error });
}

/** Formats an error on one line, `400: InvalidParameter: path: text`, for preflight responses and logs. */
export function flattenCloudError(error: CloudError): string {
  const { code, target, message, details } = error.body;
  const head = `${error.status}: ${code}: ${target ?? ""}: ${message}`;
  return details
    ? `${head} Details: ${details.map((d) => `${d.code}: ${d.target ?? ""}: ${d.message}`).join(", ")}`
    : head;
}

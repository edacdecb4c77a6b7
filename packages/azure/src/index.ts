export {
  aadstsCode,
  azureErrorCode,
  azureErrorMessage,
  isNotFound,
  isPreconditionFailed,
  statusOf,
} from "./azure-error.ts";
export { type AzureClients, type AzureConnectionOptions, type CallOptions, connectAzure } from "./clients.ts";
export type { AzureEnvironment, ServicePrincipal } from "./environment.ts";
export {
  type ArmRetryAdvice,
  armBackoff,
  armRetry,
  isAuthorizationPropagation,
  retryAdvice,
} from "./retry-advice.ts";

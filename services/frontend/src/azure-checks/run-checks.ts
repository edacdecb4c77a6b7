import { CloudError } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage, retryAdvice } from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import type { Violation } from "@keelson/model";
import type { AzureChecks, ProposedCreation } from "./azure-checks.ts";
import { checkEncryptionFeature } from "./encryption-feature.ts";
import { maxFactor, ProgressLimit } from "./progress-limit.ts";
import { checkProviders } from "./providers.ts";
import { checkQuota, type Usage } from "./quota.ts";
import { type AzureAccess, checkRights } from "./rights.ts";
import { SharedReads } from "./shared-reads.ts";
import { checkSkus } from "./sku.ts";
import { SkuCatalogue } from "./sku-catalogue.ts";

export interface AzureChecksOptions {
  readonly access: AzureAccess;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Time limit in ms without progress for the checks of one cluster. A further request to Azure and the end of a check count as
   * progress. Default: 30,000.
   */
  readonly limitMs?: number;
}

/** Runs all checks concurrently. Violations are reported in the order: sizes, feature, quotas, providers, rights. */
export function azureChecks(options: AzureChecksOptions): AzureChecks {
  const { access, clock, logger, limitMs = 30_000 } = options;
  const readLimitMs = maxFactor * limitMs;
  const skus = new SkuCatalogue(clock, readLimitMs);
  const quotas = new SharedReads<readonly Usage[]>(readLimitMs);
  const providers = new SharedReads<ReadonlySet<string>>(readLimitMs);
  // Time limits of all running checks. Checks of several clusters may wait for the same response from Azure. This response then
  // counts as progress for all of them.
  const limits = new Set<ProgressLimit>();
  const progressed = () => {
    for (const each of limits) each.progressed();
  };
  const observed = <T>(check: Promise<T>): Promise<T> => check.finally(progressed);
  return {
    async find(creation, signal) {
      const { subscription, correlationId } = creation;
      const connection = { beforeRequest: progressed, logger, correlationId };
      const azure = access.connectAzure(subscription.id, connection);
      using limit = new ProgressLimit(signal, limitMs);
      limits.add(limit);
      const outcomes = await Promise.allSettled(
        [
          checkSkus(creation, azure, skus, limit.signal),
          checkEncryptionFeature(creation, azure, limit.signal),
          checkQuota(creation, azure, quotas, limit.signal),
          checkProviders(creation, azure, providers, limit.signal),
          checkRights(creation, azure, access, connection, limit.signal),
        ].map(observed),
      );
      limits.delete(limit);
      signal.throwIfAborted();
      const violations = outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
      const failed = outcomes.find((each) => each.status === "rejected");
      // If one check finds a violation and a different check fails, the violation is reported.
      if (violations.length > 0 || !failed) return violations;
      return [refusalOf(failed.reason, creation, limit.isOver ? limitMs : undefined)];
    },
  };
}

/**
 * Converts the error of a check into a violation if Azure refused the check's request.
 * @throws CloudError for any other error
 */
function refusalOf(reason: unknown, { subscription }: ProposedCreation, limitMs?: number): Violation {
  const code = azureErrorCode(reason);
  if (code === "SubscriptionNotFound") {
    return {
      code: "InvalidSubscriptionState",
      target: "",
      message: `Request is not allowed in subscription '${subscription.id}', which Azure does not know: ${azureErrorMessage(reason)}`,
    };
  }
  if (code === "AuthorizationFailed") {
    return {
      code: "InvalidResourceProviderPermissions",
      target: "",
      message: `The resource provider service principal does not have required permissions on subscription '${subscription.id}': ${azureErrorMessage(reason)}`,
    };
  }
  if (limitMs === undefined && retryAdvice(reason).kind !== "retry") throw reason;
  const time = limitMs === undefined ? "" : ` for ${limitMs / 1_000} seconds`;
  throw new CloudError(
    "InternalServerError",
    `Azure did not answer the checks of the new cluster${time}. Nothing has been created: send the request again.`,
    { status: 503, cause: reason },
  );
}

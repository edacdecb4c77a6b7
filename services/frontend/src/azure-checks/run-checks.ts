import { CloudError } from "@keelson/arm";
import { azureErrorCode, azureErrorMessage, retryAdvice } from "@keelson/azure";
import { type Clock, type Logger, withTimeout } from "@keelson/base";
import type { Violation } from "@keelson/model";
import type { AzureChecks, ProposedCreation } from "./azure-checks.ts";
import { checkEncryptionFeature } from "./encryption-feature.ts";
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
  /** For all checks of one cluster together; 30,000 when absent. */
  readonly limitMs?: number;
}

/** Asks Azure everything at once and reports in the order: sizes, feature, quotas, providers, rights. */
export function azureChecks(options: AzureChecksOptions): AzureChecks {
  const { access, clock, logger, limitMs = 30_000 } = options;
  const skus = new SkuCatalogue(clock, limitMs);
  const quotas = new SharedReads<readonly Usage[]>(limitMs);
  const providers = new SharedReads<ReadonlySet<string>>(limitMs);
  return {
    async find(creation, signal) {
      const { subscription, correlationId } = creation;
      const connection = { beforeRequest: () => {}, logger, correlationId };
      const azure = access.connectAzure(subscription.id, connection);
      const limit = withTimeout(signal, limitMs);
      const outcomes = await Promise.allSettled([
        checkSkus(creation, azure, skus, limit),
        checkEncryptionFeature(creation, azure, limit),
        checkQuota(creation, azure, quotas, limit),
        checkProviders(creation, azure, providers, limit),
        checkRights(creation, azure, access, connection, limit),
      ]);
      signal.throwIfAborted();
      const violations = outcomes.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
      const failed = outcomes.find((each) => each.status === "rejected");
      // What is known to be wrong is worth more than what could not be found out.
      if (violations.length > 0 || !failed) return violations;
      return [refusalOf(failed.reason, creation, limit.aborted ? limitMs : undefined)];
    },
  };
}

/** What an Azure that gives no verdict means for the request. @throws CloudError */
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
  const time = limitMs === undefined ? "" : ` within ${limitMs / 1_000} seconds`;
  throw new CloudError(
    "InternalServerError",
    `Azure did not answer the checks of the new cluster${time}. Nothing has been created: send the request again.`,
    { status: 503, cause: reason },
  );
}

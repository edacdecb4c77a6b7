import type { BillingDocument } from "@keelson/model";

/** An entry of the bill as administrators see it. */
export function externalBilling({
  id,
  key,
  clusterResourceGroupIDKey,
  infraId,
  billing,
}: BillingDocument): object {
  return {
    id,
    key,
    clusterResourceGroupIDKey,
    ...(infraId === undefined ? {} : { infraId }),
    billing: {
      creationTime: billing.creationTime,
      ...(billing.deletionTime === undefined ? {} : { deletionTime: billing.deletionTime }),
      ...(billing.lastBillingTime === undefined ? {} : { lastBillingTime: billing.lastBillingTime }),
      location: billing.location,
      ...(billing.tenantID === undefined ? {} : { tenantID: billing.tenantID }),
    },
  };
}

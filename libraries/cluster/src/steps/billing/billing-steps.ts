import type { ClusterContext } from "../../context/context.ts";

/** Opens the billing record, if there is none yet. */
export async function ensureBillingRecord(context: ClusterContext): Promise<void> {
  const { billing, clock, environment, subscription, signal } = context;
  await billing.ensure(clock.now(), environment.tenantIdOf(subscription), signal);
}

/** Stores when billing ended. */
export async function markBillingForDeletion({ billing, clock, signal }: ClusterContext): Promise<void> {
  await billing.markDeleted(clock.now(), signal);
}

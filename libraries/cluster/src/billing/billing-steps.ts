import type { ClusterContext } from "../context/context.ts";

/** Creates the billing record if it does not exist. */
export async function ensureBillingRecord(context: ClusterContext): Promise<void> {
  const { billing, clock, environment, subscription, signal } = context;
  await billing.ensure(clock.now(), environment.tenantIdOf(subscription), signal);
}

/** Stores the end time of billing. */
export async function markBillingForDeletion({ billing, clock, signal }: ClusterContext): Promise<void> {
  await billing.markDeleted(clock.now(), signal);
}

import type { ClusterContext } from "../context.ts";

/** Puts the cluster on the bill, if it is not there already. */
export async function ensureBillingRecord(context: ClusterContext): Promise<void> {
  const { billing, clock, environment, subscription, signal } = context;
  await billing.ensure(clock.now(), environment.tenantIdOf(subscription), signal);
}

/** Notes when the cluster stopped to cost something. */
export async function markBillingForDeletion({ billing, clock, signal }: ClusterContext): Promise<void> {
  await billing.markDeleted(clock.now(), signal);
}

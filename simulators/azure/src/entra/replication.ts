import type { Subscription } from "../arm/subscription.ts";

/** Whether all parts of Azure know an entry of the directory already: what was made a moment ago may be unknown. */
export function isReplicated(
  { settings, clock }: Pick<Subscription, "settings" | "clock">,
  { createdAt }: { readonly createdAt?: string },
): boolean {
  if (createdAt === undefined) return true;
  return Date.parse(createdAt) + settings.current.directoryDelayMs <= clock.now().getTime();
}

import type { Subscription } from "../arm/subscription.ts";

/** True if a directory entry is visible in all of Azure. New entries become visible after a delay. */
export function isReplicated(
  { settings, clock }: Pick<Subscription, "settings" | "clock">,
  { createdAt }: { readonly createdAt?: string },
): boolean {
  if (createdAt === undefined) return true;
  return Date.parse(createdAt) + settings.current.directoryDelayMs <= clock.now().getTime();
}

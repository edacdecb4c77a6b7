import type { Subscription } from "../arm/subscription.ts";

/** True if a directory entry is visible everywhere in Azure. A new entry becomes visible after a delay. */
export function isReplicated(
  { settings, clock }: Pick<Subscription, "settings" | "clock">,
  { createdAt }: { readonly createdAt?: string },
): boolean {
  if (createdAt === undefined) return true;
  return Date.parse(createdAt) + settings.current.directoryDelayMs <= clock.now().getTime();
}

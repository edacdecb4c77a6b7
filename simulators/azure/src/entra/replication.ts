import type { World } from "../arm/world.ts";

/** Whether all parts of Azure know an entry of the directory already: what was made a moment ago may be unknown. */
export function isReplicated(
  { settings, clock }: Pick<World, "settings" | "clock">,
  { createdAt }: { readonly createdAt?: string },
): boolean {
  if (createdAt === undefined) return true;
  return Date.parse(createdAt) + settings.current.directoryDelayMs <= clock.now().getTime();
}

import type { JsonObject } from "@keelson/base";
import { type ArmResponse, ok } from "./exchange.ts";
import { normalizeLocation } from "./locations.ts";
import type { Subscription } from "./subscription.ts";

/** Default limit of every quota, sufficient for thousands of clusters. Tests change limits with `Settings.quotas`. */
const usualLimit = 1_000_000;

/** Quota usage in a location. */
export interface Usage {
  readonly name: string;
  readonly localizedName: string;
  readonly current: number;
}

/** Handles `GET .../locations/{location}/usages` of a provider. */
export function listUsages(
  subscription: Subscription,
  location: string,
  usages: (location: string) => readonly Usage[],
): ArmResponse {
  const place = normalizeLocation(location);
  const limits = subscription.settings.current.quotas[place] ?? {};
  const value: JsonObject[] = usages(place).map(({ name, localizedName, current }) => ({
    unit: "Count",
    currentValue: current,
    limit: limits[name] ?? usualLimit,
    name: { value: name, localizedValue: localizedName },
  }));
  return ok({ value });
}

import type { JsonValue } from "@keelson/base";
import type { RateLimitSettings } from "./rate-limits.ts";

/** Availability of a machine size in a location. */
export type Availability = "available" | "restricted" | "absent";

/** Rights of a principal: `everything`, or only the rights of its role assignments. */
export type RightsSource = "everything" | "assignments";

/**
 * Reaction to a sign-in by an application that is not in the directory: the sign-in is refused or the application is registered.
 */
export type UnknownApplications = "refused" | "registered";

/** Settings read by the simulated services: quotas, availability, rights, delays and limits. */
export interface ServiceSettings {
  /** Limits by location and quota: `{ eastus: { cores: 10 } }`. */
  readonly quotas: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Availability by location and machine size: `{ eastus: { Standard_D8s_v3: "restricted" } }`. */
  readonly skus: Readonly<Record<string, Readonly<Record<string, Availability>>>>;
  /** Source of a principal's rights, by client ID of an application or object ID of a user. */
  readonly rights: Readonly<Record<string, RightsSource>>;
  /** Source of the rights of principals that are not in `rights`. Default: `assignments`, as in Azure. */
  readonly defaultRights: RightsSource;
  /**
   * Reaction to sign-ins of unknown applications. A registered application keeps the secret of its first sign-in. Default:
   * `refused`, as in Azure.
   */
  readonly unknownApplications: UnknownApplications;
  /** Microsoft Graph permissions by client ID. Tokens contain them as roles. */
  readonly graphRoles: Readonly<Record<string, readonly string[]>>;
  /** Delay in ms until new Microsoft Graph objects are visible to sign-ins, searches and role assignments. Default: 0 ms. */
  readonly directoryDelayMs: number;
  /** IDs of resources with failed provisioning, in lower case. The next successful write of a resource removes its ID. */
  readonly failed: Readonly<Record<string, true>>;
  /**
   * IDs of unhealthy scale sets, of unhealthy scale set machines, and of load balancer rules without a healthy backend, in lower
   * case.
   */
  readonly unhealthy: Readonly<Record<string, true>>;
  /** Delay in ms until new role assignments take effect. */
  readonly rightsDelayMs: number;
  /** Request limits per caller. Default: none. */
  readonly rateLimits: RateLimitSettings;
  /** Time in ms by which the subscription's clock is ahead of the real time. */
  readonly clockAheadMs: number;
}

/** Access to the settings of a subscription. Clients cannot change the settings through Azure Resource Manager. */
export interface SettingsAccess {
  readonly current: ServiceSettings;
  /** Removes a resource from `failed` after a successful write. */
  forgetFailure(id: string): void;
  /** Applies a JSON merge patch. Must run in a transaction. @throws ArmError 400 for an unknown setting */
  change(patch: JsonValue | undefined): ServiceSettings;
}

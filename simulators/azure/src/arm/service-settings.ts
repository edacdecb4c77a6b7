import type { JsonValue } from "@keelson/base";
import type { RateLimitSettings } from "./rate-limits.ts";

/** Availability of a machine size in a location. */
export type Availability = "available" | "restricted" | "absent";

/** Rights of a principal: `everything`, or only the rights of its role assignments. */
export type RightsSource = "everything" | "assignments";

/** Handling of a sign-in by an application that is not in the directory. */
export type UnknownApplications = "refused" | "registered";

/** Settings read by the simulated services: quotas, availability, rights, delays and limits. */
export interface ServiceSettings {
  /** Limits by location and quota: `{ eastus: { cores: 10 } }`. */
  readonly quotas: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Availability by location and machine size: `{ eastus: { Standard_D8s_v3: "restricted" } }`. */
  readonly skus: Readonly<Record<string, Readonly<Record<string, Availability>>>>;
  /** Rights by client ID of an application or object ID of a user. */
  readonly rights: Readonly<Record<string, RightsSource>>;
  /** Rights of principals without an entry in `rights`. Default: `assignments`, as in Azure. */
  readonly defaultRights: RightsSource;
  /**
   * Sign-in of unknown applications. A registered application keeps the secret of its first sign-in. Default: `refused`, as in
   * Azure.
   */
  readonly unknownApplications: UnknownApplications;
  /** Microsoft Graph permissions by client ID. Tokens contain them as roles. */
  readonly graphRoles: Readonly<Record<string, readonly string[]>>;
  /** Delay until new Microsoft Graph objects are visible to sign-ins, searches and role assignments. Default: 0 ms. */
  readonly directoryDelayMs: number;
  /** Resources with failed provisioning, by lower-case ID. The next successful write of a resource removes its entry. */
  readonly failed: Readonly<Record<string, true>>;
  /** Unhealthy scale sets, unhealthy scale set machines and load balancer rules without a healthy backend, by lower-case ID. */
  readonly unhealthy: Readonly<Record<string, true>>;
  /** Delay in ms until new role assignments take effect. */
  readonly rightsDelayMs: number;
  /** Request limits per caller. Default: none. */
  readonly rateLimits: RateLimitSettings;
  /** Offset in ms of the subscription's clock from the real time. */
  readonly clockAheadMs: number;
}

/** Access to the settings of a subscription. Clients cannot change them through Azure Resource Manager. */
export interface SettingsAccess {
  readonly current: ServiceSettings;
  /** Removes a resource from `failed` after a successful write. */
  forgetFailure(id: string): void;
  /** Applies a JSON merge patch. Must run in a transaction. @throws ArmError 400 for an unknown setting */
  change(patch: JsonValue | undefined): ServiceSettings;
}

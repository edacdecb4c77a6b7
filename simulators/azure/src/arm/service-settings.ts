import type { JsonValue } from "@keelson/base";
import type { RateLimitSettings } from "./rate-limits.ts";

/** Availability of a machine size in a location. */
export type Availability = "available" | "restricted" | "absent";

/** Source of a principal's rights: all rights, or those of its role assignments. */
export type RightsSource = "everything" | "assignments";

/** Result of the sign-in of an application that is not in the directory. */
export type UnknownApplications = "refused" | "registered";

/** Settings that services read: quotas, availability, rights, delays and limits. */
export interface ServiceSettings {
  /** Limits by location and quota, `{ eastus: { cores: 10 } }`. */
  readonly quotas: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Availability by location and machine size, `{ eastus: { Standard_D8s_v3: "restricted" } }`. */
  readonly skus: Readonly<Record<string, Readonly<Record<string, Availability>>>>;
  /** Keys are client IDs of applications and object IDs of users. */
  readonly rights: Readonly<Record<string, RightsSource>>;
  /** Rights of principals without an entry in `rights`. Default: `assignments`, as in Azure. */
  readonly defaultRights: RightsSource;
  /** Default: `refused`, as in Azure. Registered applications keep the secret of their first sign-in. */
  readonly unknownApplications: UnknownApplications;
  /** Permissions at Microsoft Graph by client ID, as its tokens name them. */
  readonly graphRoles: Readonly<Record<string, readonly string[]>>;
  /** Time until sign-ins, searches and role assignments find new objects of Microsoft Graph. Default: 0 ms. */
  readonly directoryDelayMs: number;
  /** Lower-case IDs of resources with failed provisioning. The next write of a resource removes its entry. */
  readonly failed: Readonly<Record<string, true>>;
  /** Lower-case IDs of unhealthy scale sets, of unhealthy machines of them, and of load balancer rules without a healthy backend. */
  readonly unhealthy: Readonly<Record<string, true>>;
  /** Delay until new role assignments apply. */
  readonly rightsDelayMs: number;
  /** Limits of the requests of each caller. Default: none. */
  readonly rateLimits: RateLimitSettings;
  /** Offset of the subscription's time from the true time. */
  readonly clockAheadMs: number;
}

/** Settings of a subscription. Clients cannot change them through Azure Resource Manager. */
export interface SettingsAccess {
  readonly current: ServiceSettings;
  /** Removes a resource from `failed` after a write that succeeded. */
  forgetFailure(id: string): void;
  /** Applies a JSON merge patch. Runs in a transaction. @throws ArmError 400 for an unknown setting */
  change(patch: JsonValue | undefined): ServiceSettings;
}

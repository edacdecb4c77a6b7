import type { JsonObject } from "@keelson/base";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** Response of a provider at the subscription other than resources, such as quotas or deleted resources. */
export interface ProviderView {
  readonly method: "GET" | "POST";
  /**
   * `names` are the values between the types of the path: `[location, name]` for `locations/deletedVaults`.
   */
  run(names: readonly string[], request: ArmRequest, subscription: Subscription): ArmResponse;
}

/** Response of a provider to `GET` at any scope. */
export type ScopeView = (scope: string, request: ArmRequest, subscription: Subscription) => ArmResponse;

/** Type as registered by its provider. */
export interface DescribedType {
  readonly resourceType: string;
  /** True if resources of it have a location. */
  readonly isRegional: boolean;
  /** Newest first. Clients use the first stable version for generic calls. */
  readonly apiVersions: readonly string[];
  readonly defaultApiVersion?: string;
  readonly capabilities: string;
}

/**
 * Contribution of a directory to a provider's namespace in Azure Resource Manager. Several directories can
 * share a namespace. `arm/` has the common rules of all providers.
 */
export interface ArmProvider {
  readonly namespace: string;
  readonly types?: readonly ResourceType[];
  /** Views by the types of their paths, such as `locations/usages`, in every API version. */
  readonly views?: Readonly<Record<string, ProviderView>>;
  readonly scopeViews?: Readonly<Record<string, ScopeView>>;
  /** Additional types of its description, which are implemented elsewhere. */
  readonly describedTypes?: readonly (string | DescribedType)[];
  /** First supported API version. Default: that of Azure Resource Manager. */
  readonly firstApiVersion?: string;
  /** Applications that the provider uses in subscriptions, as named in its description. */
  readonly authorizations?: readonly JsonObject[];
  /** Preview features that subscriptions can register for. */
  readonly previewFeatures?: readonly string[];
  /**
   * True if a separate server has its resources. Their locks and role assignments are stored here
   * nevertheless.
   */
  readonly isRemote?: true;
  /** Operation bodies contain only the status and the error, if any. */
  readonly statusOnly?: true;
  /** Runs in the transaction that removed a resource group. */
  groupRemoved?(id: string): void;
}

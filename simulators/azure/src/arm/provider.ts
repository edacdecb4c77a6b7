import type { JsonObject } from "@keelson/base";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** View: data of a provider at subscription level that is not a resource, such as quotas or deleted resources. */
export interface ProviderView {
  readonly method: "GET" | "POST";
  /**
   * Handles a request. `names` contains the values that stand between the types in the path. Example: `[location, name]` for
   * `locations/deletedVaults`.
   */
  run(names: readonly string[], request: ArmRequest, subscription: Subscription): ArmResponse;
}

/** Handles `GET` of a provider path that can begin with any scope. */
export type ScopeView = (scope: string, request: ArmRequest, subscription: Subscription) => ArmResponse;

/** Resource type in the description of its provider. */
export interface DescribedType {
  readonly resourceType: string;
  /** True if resources of this type have a location. */
  readonly isRegional: boolean;
  /** API versions, newest first. Clients use the first stable version for generic calls. */
  readonly apiVersions: readonly string[];
  readonly defaultApiVersion?: string;
  readonly capabilities: string;
}

/**
 * Resource types and views that one directory adds to a provider namespace. Several directories can contribute to one namespace.
 * `arm/` contains the rules that apply to all providers.
 */
export interface ArmProvider {
  readonly namespace: string;
  readonly types?: readonly ResourceType[];
  /** Views by the types in their path, such as `locations/usages`. They are available in every API version. */
  readonly views?: Readonly<Record<string, ProviderView>>;
  readonly scopeViews?: Readonly<Record<string, ScopeView>>;
  /** Additional types in the provider's description. Other code implements these types. */
  readonly describedTypes?: readonly (string | DescribedType)[];
  /** First supported API version. Default: the first API version of Azure Resource Manager. */
  readonly firstApiVersion?: string;
  /** Applications that the provider uses in subscriptions, as listed in its description. */
  readonly authorizations?: readonly JsonObject[];
  /** Preview features that subscriptions can register for. */
  readonly previewFeatures?: readonly string[];
  /**
   * True if an external server stores the provider's resources. The simulation itself stores the locks and role assignments of
   * these resources.
   */
  readonly isRemote?: true;
  /** True if the response body for an operation contains only the status and an optional error. */
  readonly statusOnly?: true;
  /** Called in the transaction that removes a resource group. */
  groupRemoved?(id: string): void;
}

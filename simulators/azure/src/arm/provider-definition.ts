import type { JsonObject } from "@keelson/base";
import type { TypeDefinition } from "./type-definition.ts";
import type { ScopeViewDefinition, ViewDefinition } from "./view-definition.ts";

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
 * The directory `arm/` contains the rules that apply to all providers.
 */
export interface ProviderDefinition<S> {
  readonly namespace: string;
  readonly types?: readonly TypeDefinition<S>[];
  /** Views by the types in their path, such as `locations/usages`. They are available in every API version. */
  readonly views?: Readonly<Record<string, ViewDefinition<S>>>;
  readonly scopeViews?: Readonly<Record<string, ScopeViewDefinition<S>>>;
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

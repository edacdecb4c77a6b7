import type { JsonObject } from "@keelson/base";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** What a provider answers at the subscription beside resources, such as quotas or what was deleted. */
export interface ProviderView {
  readonly method: "GET" | "POST";
  /** `names` as they stand between the types of the path: `[location, name]` for `locations/deletedVaults`. */
  run(names: readonly string[], request: ArmRequest, subscription: Subscription): ArmResponse;
}

/** What a provider answers to `GET` at any scope. */
export type ScopeView = (scope: string, request: ArmRequest, subscription: Subscription) => ArmResponse;

/** A type as its provider has registered it. */
export interface DescribedType {
  readonly resourceType: string;
  /** True if resources of it have a location. */
  readonly isRegional: boolean;
  /** Newest first: clients take the first stable one for generic calls. */
  readonly apiVersions: readonly string[];
  readonly defaultApiVersion?: string;
  readonly capabilities: string;
}

/**
 * What a folder contributes to Azure Resource Manager under a provider's namespace; several may share one. The rules
 * that all providers have in common are those of `arm/`.
 */
export interface ArmProvider {
  readonly namespace: string;
  readonly types?: readonly ResourceType[];
  /** By the types of their paths, `locations/usages`; whatever their API version. */
  readonly views?: Readonly<Record<string, ProviderView>>;
  readonly scopeViews?: Readonly<Record<string, ScopeView>>;
  /** Types that its description names besides `types`, served in other ways. */
  readonly describedTypes?: readonly (string | DescribedType)[];
  /** Requests of earlier versions are refused; Azure Resource Manager's own first version when absent. */
  readonly firstApiVersion?: string;
  /** Applications that act in subscriptions by it, as its description names them. */
  readonly authorizations?: readonly JsonObject[];
  /** Features in preview that subscriptions may register for. */
  readonly previewFeatures?: readonly string[];
  /** Its resources are kept by a server of its own; locks and role assignments at them are kept here all the same. */
  readonly isRemote?: true;
  /** Bodies of its operations have the status, and the error if there is one. */
  readonly statusOnly?: true;
  /** Runs in the transaction that removed a resource group. */
  groupRemoved?(id: string): void;
}

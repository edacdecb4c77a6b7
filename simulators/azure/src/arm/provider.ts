import type { ProviderDefinition } from "./provider-definition.ts";
import type { Subscription } from "./subscription.ts";
import type { ScopeViewDefinition, ViewDefinition } from "./view-definition.ts";

export type { DescribedType } from "./provider-definition.ts";

/** Provider of the simulated subscription. `provider-definition.ts` describes the fields. */
export type ArmProvider = ProviderDefinition<Subscription>;
export type ProviderView = ViewDefinition<Subscription>;
export type ScopeView = ScopeViewDefinition<Subscription>;

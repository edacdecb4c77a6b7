import type { Subscription } from "./subscription.ts";
import type { ActionDefinition, ElementDefinition, TypeDefinition } from "./type-definition.ts";

export type { Draft, FieldOrder } from "./type-definition.ts";

/** Resource type of the simulated subscription. `type-definition.ts` describes the fields. */
export type ResourceType = TypeDefinition<Subscription>;
export type ElementType = ElementDefinition<Subscription>;
export type ResourceAction = ActionDefinition<Subscription>;

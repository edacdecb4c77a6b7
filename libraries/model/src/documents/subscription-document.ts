export const subscriptionStates = ["Registered", "Unregistered", "Warned", "Suspended", "Deleted"] as const;

export type SubscriptionState = (typeof subscriptionStates)[number];

/** Subscription as sent by ARM, including unknown properties. */
export interface Subscription {
  readonly state: SubscriptionState;
  readonly properties?: {
    readonly tenantId?: string;
    readonly accountOwner?: { readonly email?: string };
    readonly registeredFeatures?: readonly { readonly name: string; readonly state: string }[];
  };
}

export interface SubscriptionDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** True while the clusters of a deleted subscription are being removed. */
  readonly deleting: boolean;
  readonly subscription: Subscription;
}

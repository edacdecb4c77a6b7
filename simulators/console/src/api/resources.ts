export interface GroupView {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  /** Resource ID of the owner, usually a cluster. */
  readonly managedBy?: string;
  readonly state: string;
}

export interface GroupsView {
  readonly subscriptionId: string;
  readonly location: string;
  readonly groups: readonly GroupView[];
  /** True if the subscription has more groups than returned. */
  readonly isCut: boolean;
}

export interface ResourceView {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly location: string;
}

export interface ResourcesView {
  readonly resources: readonly ResourceView[];
  /** True if the group has more resources than returned. */
  readonly isCut: boolean;
}

/** Role definition of Azure. Its ID is the same in every tenant. */
export interface BuiltInRole {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly actions: readonly string[];
  readonly notActions?: readonly string[];
  /** Data plane actions of the role. */
  readonly dataActions?: readonly string[];
}

import type { ArmRequest, ArmResponse } from "./exchange.ts";

/** View: provider data at subscription level that is not a resource, such as quotas or deleted resources. */
export interface ViewDefinition<S> {
  readonly method: "GET" | "POST";
  /**
   * Handles a request. `names` contains the values that stand between the types in the path. Example: `[location, name]` for
   * `locations/deletedVaults`.
   */
  run(names: readonly string[], request: ArmRequest, subscription: S): ArmResponse;
}

/** Handles `GET` of a provider path that can begin with any scope. */
export type ScopeViewDefinition<S> = (scope: string, request: ArmRequest, subscription: S) => ArmResponse;

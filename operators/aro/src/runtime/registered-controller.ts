import type { OperatorFlag, OperatorRole } from "@keelson/aro-api";
import type { AroController } from "./aro-controller.ts";

/**
 * A controller of the deployed operator. `make generate` lists it, and derives the rules of the operator's roles, the
 * flag catalogue and the README's table from its declaration.
 */
export interface RegisteredController extends AroController {
  /** Default: the master. */
  readonly roles?: readonly OperatorRole[];
  /** Flags that it owns, or shares with the same values, by name. */
  readonly flags?: Readonly<Record<string, OperatorFlag>>;
  /** Cluster conditions in addition to the three of each controller. */
  readonly conditionTypes?: readonly string[];
  readonly documentation: ControllerDocumentation;
}

/** Sentences in Markdown. */
export interface ControllerDocumentation {
  /** Managed objects or checks. */
  readonly purpose: string;
  /** Differences from the original. */
  readonly improvement: string;
}

export function runsAs({ roles = ["master"] }: RegisteredController, role: OperatorRole): boolean {
  return roles.includes(role);
}

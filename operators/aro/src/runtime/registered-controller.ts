import type { OperatorFlag, OperatorRole } from "@keelson/aro-api";
import type { AroController } from "./aro-controller.ts";

/**
 * Controller of the deployed operator. `make generate` adds it to the list of controllers. The RBAC rules, the flag catalog and
 * the README's table are generated from its declaration.
 */
export interface RegisteredController extends AroController {
  /** Roles that run the controller. Default: only the master. */
  readonly roles?: readonly OperatorRole[];
  /** Flags of the controller, by name. Other controllers may declare the same flag with the same values. */
  readonly flags?: Readonly<Record<string, OperatorFlag>>;
  /** Condition types of the Cluster, in addition to the three common ones. */
  readonly conditionTypes?: readonly string[];
  readonly documentation: ControllerDocumentation;
}

/** Documentation of a controller as sentences in Markdown. */
export interface ControllerDocumentation {
  /** Description of the managed objects or checks. */
  readonly purpose: string;
  /** Differences from ARO-RP's controller. */
  readonly improvement: string;
}

export function runsAs({ roles = ["master"] }: RegisteredController, role: OperatorRole): boolean {
  return roles.includes(role);
}

import type { Request } from "../../runtime/operator-context.ts";
import type { RebootChange } from "../../runtime/reboot-gate.ts";

/** Mitigation of an OpenShift defect until a release fixes it. */
export interface Workaround {
  /** Name of the workaround in messages. */
  readonly name: string;
  /** Returns the changes that add the mitigation if it is required. If it is not required, returns the changes that remove it. */
  plan(request: Request): Promise<readonly RebootChange[]>;
}

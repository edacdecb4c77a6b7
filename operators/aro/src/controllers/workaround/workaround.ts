import type { Request } from "../../runtime/operator-context.ts";
import type { RebootChange } from "../../runtime/reboot-gate.ts";

/** Mitigation of an OpenShift defect until a release fixes it. */
export interface Workaround {
  /** Name in messages. */
  readonly name: string;
  /** Changes that add the mitigation where it is required, and remove it elsewhere. */
  plan(request: Request): Promise<readonly RebootChange[]>;
}

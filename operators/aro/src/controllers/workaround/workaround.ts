import type { Request } from "../../runtime/operator-context.ts";
import type { RebootChange } from "../../runtime/reboot-gate.ts";

/** What keeps a defect of OpenShift from harming the cluster until a release has mended it. */
export interface Workaround {
  /** In messages. */
  readonly name: string;
  /** What to do to have it where it is required, and not where it is not. */
  plan(request: Request): Promise<readonly RebootChange[]>;
}

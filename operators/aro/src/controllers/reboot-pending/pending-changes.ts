import { isFlagOn } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import type { Condition } from "@keelson/controller";
import type { Request } from "../../runtime/operator-context.ts";
import { describeChange, heldBack, type RebootPlanner, rebootGate } from "../../runtime/reboot-gate.ts";

const type = "RebootPending";
const maxChanges = 20;

/** Returns the condition `RebootPending`. It lists the changes that the given controllers postpone until nodes may reboot. */
export async function rebootPending(
  request: Request,
  planners: readonly RebootPlanner[],
): Promise<Condition> {
  const failures = new Set<string>();
  const held: string[] = [];
  for (const { flag, reportsAs, plan } of planners) {
    if (flag !== undefined && !isFlagOn(request.flags, flag)) continue;
    try {
      const gate = await rebootGate(request, reportsAs);
      held.push(...heldBack(gate, await plan(request)).map(describeChange));
    } catch (error) {
      request.signal.throwIfAborted();
      failures.add(messageOf(error));
    }
  }
  if (held.length > 0) {
    const more = held.length > maxChanges ? [`and ${held.length - maxChanges} more`] : [];
    const list = [...held.slice(0, maxChanges), ...more].join(", ");
    const message = `Nodes reboot for these changes, which wait for the next upgrade or for aro.forcereconciliation: ${list}`;
    return { type, status: "True", reason: "WaitsForUpgrade", message };
  }
  if (failures.size > 0)
    return { type, status: "Unknown", reason: "PlanFailed", message: [...failures].join("\n") };
  return { type, status: "False", reason: "AsExpected", message: "" };
}

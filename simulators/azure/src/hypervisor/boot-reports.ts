import type { JsonValue } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import type { Subscription } from "../arm/subscription.ts";
import { nonEmptyStringAt } from "../base/json.ts";
import { withBootProblem } from "../compute/boot-problem.ts";
import { virtualMachineType } from "../compute/virtual-machines.ts";

const longestProblem = 2_000;

/**
 * Records that a machine has booted, or the reason why it cannot boot. The body is `{ "id", "problem" }`. After a successful
 * boot, `problem` is null. After a failed boot, it is a string. Reports for deleted machines are ignored.
 */
export function recordBoot(subscription: Subscription, body: JsonValue | undefined): ArmResponse {
  const id = nonEmptyStringAt(body, "id");
  if (id === undefined) throw badRequest("InvalidRequestContent", "The property 'id' is required.");
  const problem = nonEmptyStringAt(body, "problem")?.slice(0, longestProblem);
  const record = subscription.resources.find(id);
  if (record?.type === virtualMachineType) subscription.resources.put(withBootProblem(record, problem));
  return ok({});
}

import type { Watch } from "@keelson/controller";
import { done, type Permission } from "../../runtime/aro-controller.ts";
import type { OperatorContext } from "../../runtime/operator-context.ts";
import type { RebootPlanner } from "../../runtime/reboot-gate.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { autoSizedNodes } from "../auto-sized-nodes/controller.ts";
import { planner as autoSizedNodesPlanner } from "../auto-sized-nodes/plan.ts";
import { dnsmasq } from "../dnsmasq/controller.ts";
import { planner as dnsmasqPlanner } from "../dnsmasq/plan.ts";
import { etcHosts } from "../etc-hosts/controller.ts";
import { planner as etcHostsPlanner } from "../etc-hosts/plan.ts";
import { workaround } from "../workaround/controller.ts";
import { flag, reportsAs, workarounds } from "../workaround/workarounds.ts";
import { rebootPending } from "./pending-changes.ts";

const controllers = [autoSizedNodes, dnsmasq, etcHosts, workaround];
const planners: readonly RebootPlanner[] = [
  autoSizedNodesPlanner,
  dnsmasqPlanner,
  etcHostsPlanner,
  ...workarounds.map(({ plan }) => ({ flag, reportsAs, plan })),
];

/** Sets the condition `RebootPending`. It lists the changes that wait until nodes may reboot. */
export const rebootPendingController: RegisteredController = {
  name: "RebootPending",
  conditionTypes: ["RebootPending"],
  documentation: {
    purpose:
      "Lists the names of the changes by AutoSizedNodes, Dnsmasq, EtcHosts and Workaround that wait for the reboot gate.",
    improvement: "New.",
  },
  watches: [...new Set<Watch<OperatorContext>>(controllers.flatMap(({ watches }) => watches))],
  permissions: controllers.flatMap(({ permissions }) => permissions.map(readingOnly)),
  conditions: "none",
  async reconcile(request) {
    await request.status.set([await rebootPending(request, planners)]);
    return done;
  },
};

function readingOnly(permission: Permission): Permission {
  return { ...permission, verbs: permission.verbs.filter((verb) => ["get", "list", "watch"].includes(verb)) };
}

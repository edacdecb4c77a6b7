import { isFlagOn, singleton } from "@keelson/aro-api";
import { messageOf } from "@keelson/base";
import { named, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { done } from "../../runtime/aro-controller.ts";
import { checkerFlag } from "../../runtime/flags.ts";
import { may, reading } from "../../runtime/may.ts";
import type { RegisteredController } from "../../runtime/registered-controller.ts";
import { judgeDns } from "./judge-dns.ts";

const { operatorDnses } = resources;
const key = { name: "default" };
const type = "DefaultClusterDNS";

/** Checks the DNS forwarding of the cluster. A custom upstream server for all zones would block the rollout of CoreDNS. */
export const clusterDnsChecker: RegisteredController = {
  name: "ClusterDNSChecker",
  flags: checkerFlag,
  conditionTypes: ["DefaultClusterDNS"],
  documentation: {
    purpose: "Checks that no server of the DNS `default` forwards every zone.",
    improvement: "Checks after every change instead of every hour.",
  },
  watches: [
    watchFor(operatorDnses, singleton, {
      selection: { fieldSelector: `metadata.name=${key.name}` },
      where: named(key.name),
    }),
  ],
  permissions: [may(reading, "operator.openshift.io", ["dnses"])],
  conditions: "none",
  async reconcile({ flags, objects, status }) {
    if (!isFlagOn(flags, "aro.checker.enabled")) {
      await status.set([{ type, status: "Unknown" }]);
      return done;
    }
    try {
      const dns = await objects.find(operatorDnses, key);
      if (!dns) throw new Error(`dnses.operator.openshift.io "${key.name}" not found`);
      const { isGood, message } = judgeDns(dns);
      const reason = isGood ? "CheckDone" : "CheckFailed";
      await status.set([{ type, status: isGood ? "True" : "False", reason, message }]);
      return done;
    } catch (error) {
      await status.set([{ type, status: "False", reason: "CheckFailed", message: messageOf(error) }]);
      throw error;
    }
  },
};

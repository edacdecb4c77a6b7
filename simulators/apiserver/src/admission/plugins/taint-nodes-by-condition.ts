import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import type { AdmissionPlugin } from "./plugin.ts";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Taints new nodes as not ready. The node lifecycle controller removes the taint when the node is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  targets: ["CREATE /nodes"],
  mutate({ object: node }) {
    const taints = listAt(node, "spec", "taints");
    const known = taints.some(
      (each) =>
        scalarStringAt(each, "key") === notReady.key && scalarStringAt(each, "effect") === notReady.effect,
    );
    return known ? node : { ...node, spec: { ...objectAt(node, "spec"), taints: [...taints, notReady] } };
  },
};

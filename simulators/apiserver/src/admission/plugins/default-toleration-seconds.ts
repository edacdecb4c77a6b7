import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import type { AdmissionPlugin } from "./plugin.ts";

const seconds = 300;
const keys = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** Adds tolerations of five minutes for nodes that are not ready or unreachable. Tolerations in the pod take precedence. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  targets: ["CREATE /pods", "UPDATE /pods"],
  mutate({ object: pod }) {
    const tolerations = listAt(pod, "spec", "tolerations");
    const missing = keys.filter((key) => !tolerations.some((each) => tolerates(each, key)));
    if (missing.length === 0) return pod;
    const added = missing.map((key) => ({
      key,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: seconds,
    }));
    return { ...pod, spec: { ...objectAt(pod, "spec"), tolerations: [...tolerations, ...added] } };
  },
};

function tolerates(toleration: unknown, key: string): boolean {
  return (
    ["", key].includes(scalarStringAt(toleration, "key")) &&
    ["", "NoExecute"].includes(scalarStringAt(toleration, "effect"))
  );
}

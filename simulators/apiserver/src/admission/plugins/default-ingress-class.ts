import { objectAt, valueAt } from "@keelson/base";
import { defaultClass } from "./default-class.ts";
import type { AdmissionPlugin } from "./plugin.ts";

/** Sets the default ingress class of new ingresses without a class. */
export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  targets: ["CREATE networking.k8s.io/ingresses"],
  mutate({ object: ingress }, context) {
    const asked =
      valueAt(ingress, "spec", "ingressClassName") ??
      ingress.metadata.annotations?.["kubernetes.io/ingress.class"];
    if (asked !== undefined) return ingress;
    const found = defaultClass(context, "networking.k8s.io/ingressclasses", [
      "ingressclass.kubernetes.io/is-default-class",
    ]);
    if (!found) return ingress;
    return { ...ingress, spec: { ...objectAt(ingress, "spec"), ingressClassName: found.metadata.name } };
  },
};

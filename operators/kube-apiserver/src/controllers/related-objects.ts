import type { RelatedObject } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";

const { config, managed, operator, target } = namespaces;

/** Related objects of the ClusterOperator, for tools such as must-gather. */
export const relatedObjects: readonly RelatedObject[] = [
  { group: "operator.openshift.io", resource: "kubeapiservers", name: "cluster" },
  { group: "apiextensions.k8s.io", resource: "customresourcedefinitions", name: "" },
  { group: "security.openshift.io", resource: "securitycontextconstraints", name: "" },
  ...[config, managed, operator, target].map((name) => ({ group: "", resource: "namespaces", name })),
  { group: "admissionregistration.k8s.io", resource: "mutatingwebhookconfigurations", name: "" },
  { group: "admissionregistration.k8s.io", resource: "validatingwebhookconfigurations", name: "" },
  {
    group: "controlplane.operator.openshift.io",
    resource: "podnetworkconnectivitychecks",
    namespace: target,
    name: "",
  },
  { group: "apiserver.openshift.io", resource: "apirequestcounts", name: "" },
  { group: "config.openshift.io", resource: "nodes", name: "cluster" },
];

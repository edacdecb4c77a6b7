import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { StaticResource } from "@keelson/operator-kit";
import { namespaces } from "../../config/namespaces.ts";
import { singleton } from "../../observers/inputs.ts";
import type { OperatorContext } from "../../runtime/operator-context.ts";
import { alertRules } from "./alerts.ts";
import { basicErrorBudget, extendedErrorBudget } from "./error-budget.ts";
import { kubeconfigMaps } from "./kubeconfigs.ts";
import { staticRoles } from "./roles.ts";

const { target } = namespaces;
const podSecurity = ["enforce", "audit", "warn"].map((mode) => [
  `pod-security.kubernetes.io/${mode}`,
  "privileged",
]);
const port = (name: string, number: number, targetPort = number) => ({
  name,
  port: number,
  targetPort,
  protocol: "TCP",
});

/**
 * Returns the static objects in the order of their creation. The network policies that allow traffic come before the policy that
 * denies all remaining traffic.
 */
export function staticObjects(nextMinor: number): readonly StaticResource<OperatorContext>[] {
  return [
    {
      resource: resources.namespaces,
      object: {
        metadata: {
          name: target,
          annotations: { "openshift.io/node-selector": "", "workload.openshift.io/allowed": "management" },
          labels: {
            "openshift.io/run-level": "0",
            "openshift.io/cluster-monitoring": "true",
            ...Object.fromEntries(podSecurity),
          },
        },
      },
    },
    {
      resource: resources.services,
      object: {
        metadata: { namespace: target, name: "apiserver" },
        spec: {
          type: "ClusterIP",
          selector: { apiserver: "true" },
          ports: [port("https", 443, 6443), port("insecure-readyz", 6080), port("check-endpoints", 17697)],
        },
      },
    },
    ...kubeconfigMaps.map((object) => ({ resource: resources.configMaps, object })),
    ...staticRoles,
    {
      resource: resources.serviceAccounts,
      object: { metadata: { namespace: target, name: "localhost-recovery-client" } },
    },
    {
      resource: resources.secrets,
      object: {
        metadata: {
          namespace: target,
          name: "localhost-recovery-client-token",
          annotations: { "kubernetes.io/service-account.name": "localhost-recovery-client" },
        },
        type: "kubernetes.io/service-account-token",
      },
    },
    ...[...alertRules(nextMinor), basicErrorBudget].map((object) => ({
      resource: resources.prometheusRules,
      object,
    })),
    {
      resource: resources.prometheusRules,
      object: extendedErrorBudget,
      when: ({ parts: { cache } }) =>
        stringAt(
          cache.known(resources.infrastructures, singleton)?.object,
          "status",
          "controlPlaneTopology",
        ) !== "SingleReplica",
    },
    {
      resource: resources.networkPolicies,
      object: {
        metadata: { namespace: target, name: "allow-all-egress" },
        spec: {
          podSelector: {
            matchExpressions: [
              {
                key: "app",
                operator: "In",
                values: ["guard", "installer", "pruner", "openshift-kms-preflight"],
              },
            ],
          },
          egress: [{}],
          policyTypes: ["Egress"],
        },
      },
    },
    {
      resource: resources.networkPolicies,
      object: {
        metadata: { namespace: target, name: "default-deny" },
        spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
      },
    },
  ];
}

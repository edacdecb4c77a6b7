import { conditionOf, scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { between, dnsSubdomain, required } from "../../catalogue/checks.ts";
import { ageColumn, nameColumn, text } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind APIService. Source of its rules: kubernetes/kube-aggregator
 * pkg/apis/apiregistration/{v1/defaults.go,validation/validation.go}.
 */
export const apiService: Kind = {
  group: "apiregistration.k8s.io",
  versions: ["v1"],
  kind: "APIService",
  plural: "apiservices",
  categories: ["api-extensions"],
  namespaced: false,
  subresources: { status: {} },
  strategy: { keptWithStatus: "metadata", requiresResourceVersion: true },
  columns: [nameColumn, text("Service", serviceText), text("Available", apiServiceAvailable), ageColumn],
  types: {
    defaults: `
apiregistration.v1.APIService status={}
apiregistration.v1.ServiceReference port=443
`,
    checks: {
      "apiregistration.v1.APIServiceSpec": [
        ["group", dnsSubdomain],
        ["version", required],
        ["groupPriorityMinimum", between(1, 20_000)],
        ["versionPriority", between(1, 1_000)],
      ],
    },
    ownership: `
apiregistration.v1.APIServiceStatus conditions=type
`,
    protobuf: `
apiregistration.v1.APIService metadata=1 spec=2 status=3
apiregistration.v1.APIServiceCondition type=1* status=2* lastTransitionTime=3 reason=4 message=5
apiregistration.v1.APIServiceSpec service=1 group=2 version=3 insecureSkipTLSVerify=4 caBundle=5 groupPriorityMinimum=7* versionPriority=8*
apiregistration.v1.APIServiceStatus conditions=1
apiregistration.v1.ServiceReference namespace=1 name=2 port=3*
`,
  },
};

function serviceText(object: unknown): string {
  const service = valueAt(object, "spec", "service");
  return service === undefined
    ? "Local"
    : `${scalarStringAt(service, "namespace")}/${scalarStringAt(service, "name")}`;
}

function apiServiceAvailable(object: unknown): string {
  const available = conditionOf(object, "Available");
  const status = scalarStringAt(available, "status") || "Unknown";
  return status === "True" ? status : `${status} (${scalarStringAt(available, "reason")})`;
}

import { isIP } from "node:net";
import { fieldError, type KubeObject, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt, valueAt } from "@keelson/base";
import { ingressHostname } from "../../catalogue/addresses.ts";
import {
  address,
  dnsLabel,
  dnsSubdomain,
  named,
  port,
  portOrName,
  required,
} from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { pathSegmentName, dnsSubdomain as subdomain, wildcardSubdomain } from "../../catalogue/names.ts";
import { balancerAddresses, few } from "../../columns/address-text.ts";
import { ageColumn, nameColumn, text, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind Ingress. Source of its rules: kubernetes pkg/apis/networking/v1/defaults.go and
 * pkg/apis/networking/validation/validation.go.
 */
export const ingress: Kind = {
  group: "networking.k8s.io",
  versions: ["v1"],
  kind: "Ingress",
  plural: "ingresses",
  shortNames: ["ing"],
  namespaced: true,
  subresources: { status: {} },
  strategy: { generation: {}, validate: oneIngressClass },
  columns: [
    nameColumn,
    textOf("Class", "spec.ingressClassName", "<none>"),
    text("Hosts", (ingress) => {
      const hosts = listAt(ingress, "spec", "rules").map((rule) => scalarStringAt(rule, "host") || "*");
      return few(hosts, 3, ",") || "*";
    }),
    text("Address", (ingress) => balancerAddresses(ingress).join(",")),
    text("Ports", (ingress) => (listAt(ingress, "spec", "tls").length > 0 ? "80, 443" : "80")),
    ageColumn,
  ],
  types: {
    defaults: `
networking.v1.Ingress spec={} status={}
networking.v1.IngressStatus loadBalancer={}
`,
    checks: {
      "networking.v1.IngressSpec": [
        [
          "",
          (spec, findings) => {
            if (listAt(spec, "rules").length === 0 && valueAt(spec, "defaultBackend") === undefined)
              findings.invalid(null, "either `defaultBackend` or `rules` must be specified");
          },
        ],
        ["defaultBackend"],
        ["rules"],
        ["tls"],
        ["ingressClassName", dnsSubdomain],
      ],
      "networking.v1.IngressRule": [["host", ingressHost], ["http"]],
      "networking.v1.HTTPIngressRuleValue": [["paths", required]],
      "networking.v1.HTTPIngressPath": [["", ingressPath], ["backend"]],
      "networking.v1.IngressBackend": [["", ingressBackend]],
      "networking.v1.IngressTLS": [["", ingressTls]],
      "networking.v1.IngressLoadBalancerIngress": [
        ["ip", address],
        ["hostname", named(ingressHostname)],
      ],
    },
    ownership: `
networking.v1.ServiceBackendPort =!
`,
    protobuf: `
networking.v1.HTTPIngressPath path=1 pathType=3* backend=2
networking.v1.HTTPIngressRuleValue paths=1
networking.v1.Ingress metadata=1 spec=2 status=3
networking.v1.IngressBackend service=4 resource=3
networking.v1.IngressLoadBalancerIngress ip=1 hostname=2 ports=4
networking.v1.IngressLoadBalancerStatus ingress=1
networking.v1.IngressPortStatus port=1* protocol=2* error=3*
networking.v1.IngressRule host=1 +IngressRuleValue=2
networking.v1.IngressServiceBackend name=1* port=2
networking.v1.IngressSpec ingressClassName=4* defaultBackend=1 tls=2 rules=3
networking.v1.IngressStatus loadBalancer=1
networking.v1.IngressTLS hosts=1 secretName=2
networking.v1.ServiceBackendPort name=1 number=2
`,
    enums: `
networking.v1.HTTPIngressPath.pathType Exact|ImplementationSpecific|Prefix
networking.v1.IngressPortStatus.protocol SCTP|TCP|UDP
`,
  },
};

/** Rejects a new ingress with different classes in the annotation and the spec. */
function oneIngressClass(ingress: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  const annotation = "kubernetes.io/ingress.class";
  const older = ingress.metadata.annotations?.[annotation];
  const name = scalarStringAt(ingress, "spec", "ingressClassName");
  if (current || older === undefined || name === "" || older === name) return [];
  const why = "must match `ingressClassName` when both are specified";
  return [fieldError.invalid(`annotations.${annotation}`, older, why)];
}

function ingressHost(host: unknown, findings: Findings): void {
  if (typeof host !== "string" || host === "") return;
  if (isIP(host) !== 0) findings.invalid(host, "must be a DNS name, not an IP address");
  const why = host.includes("*") ? wildcardSubdomain(host) : subdomain(host);
  if (why) findings.invalid(host, why);
}

function ingressPath(value: unknown, findings: Findings): void {
  if (valueAt(value, "backend") === undefined)
    findings.invalid("", "resource or service backend is required", "backend");
  const [type, path] = [scalarStringAt(value, "pathType"), scalarStringAt(value, "path")];
  if (type === "") {
    findings.required("pathType must be specified", "pathType");
    return;
  }
  const types = ["Exact", "ImplementationSpecific", "Prefix"];
  if (!types.includes(type)) findings.notSupported(type, types, "pathType");
  else if (!path.startsWith("/") && (path !== "" || type !== "ImplementationSpecific"))
    findings.invalid(path, "must be an absolute path", "path");
  if (type !== "Exact" && type !== "Prefix") return;
  for (const sequence of ["//", "/./", "/../", "%2f", "%2F"])
    if (path.includes(sequence)) findings.invalid(path, `must not contain '${sequence}'`, "path");
  for (const ending of ["/..", "/."])
    if (path.endsWith(ending)) findings.invalid(path, `cannot end with '${ending}'`, "path");
}

function ingressBackend(backend: unknown, findings: Findings): void {
  const [resource, service] = [valueAt(backend, "resource"), valueAt(backend, "service")];
  if (resource !== undefined && service !== undefined) {
    findings.invalid("", "cannot set both resource and service backends");
  } else if (resource !== undefined) {
    if (scalarStringAt(resource, "kind") === "") findings.required("", "resource", "kind");
    const name = scalarStringAt(resource, "name");
    const why = pathSegmentName(name);
    if (name === "") findings.required("", "resource", "name");
    else if (why) findings.invalid(name, why, "resource", "name");
  } else if (service !== undefined) serviceBackend(service, findings);
  else findings.invalid("", "resource or service backend is required");
}

function serviceBackend(service: unknown, findings: Findings): void {
  findings.enter("service");
  findings.enter("name");
  const name = valueAt(service, "name");
  required(name, findings);
  dnsLabel(name, findings);
  findings.leave();
  findings.enter("port");
  const [portText, number] = [scalarStringAt(service, "port", "name"), valueAt(service, "port", "number")];
  if (portText !== "") {
    findings.enter("name");
    portOrName(portText, findings);
    findings.leave();
  } else if (number !== undefined && number !== 0) {
    findings.enter("number");
    port(number, findings);
    findings.leave();
  }
  findings.leave();
  findings.leave();
  if (portText !== "" && number) findings.invalid("", "cannot set both port name & port number");
  if (portText === "" && !number) findings.required("port name or number is required");
}

function ingressTls(tls: unknown, findings: Findings): void {
  for (const [at, host] of stringsAt(tls, "hosts").entries()) {
    const why = host.includes("*") ? wildcardSubdomain(host) : subdomain(host);
    if (why) findings.invalid(host, why, "hosts", at);
  }
  const secret = scalarStringAt(tls, "secretName");
  const why = secret === "" ? undefined : subdomain(secret);
  if (why) findings.invalid(secret, why, "secretName");
}

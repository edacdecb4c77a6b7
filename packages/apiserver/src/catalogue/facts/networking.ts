import { isIP } from "node:net";
import { arrayAt, textAt, valueAt } from "../../json/access.ts";
import { immutable } from "../changes.ts";
import {
  cidr,
  dnsLabel,
  dnsSubdomain,
  eachOneOf,
  named,
  oneOf,
  port,
  portOrName,
  required,
} from "../checks.ts";
import type { Findings } from "../findings.ts";
import { portName, dnsSubdomain as subdomain, wildcardSubdomain } from "../names.ts";
import type { GroupFacts } from "./group-facts.ts";

/**
 * networking.k8s.io and discovery.k8s.io. Facts: kubernetes pkg/apis/{networking,discovery}/v1/defaults.go and
 * pkg/apis/{networking,discovery}/validation/validation.go.
 */
export const networkingFacts: GroupFacts = {
  defaults: `
networking.v1.Ingress spec={} status={}
networking.v1.IngressStatus loadBalancer={}
networking.v1.IngressClassParametersReference scope="Cluster"
networking.v1.NetworkPolicyPort protocol="TCP"
networking.v1.NetworkPolicySpec podSelector={}
discovery.v1.EndpointPort name="" protocol="TCP"
`,
  derived: {
    "networking.v1.NetworkPolicySpec": (spec) =>
      arrayAt(spec, "policyTypes").length > 0
        ? spec
        : { ...spec, policyTypes: ["Ingress", ...(arrayAt(spec, "egress").length > 0 ? ["Egress"] : [])] },
  },
  checks: {
    "networking.v1.IngressSpec": [
      [
        "",
        (spec, findings) => {
          if (arrayAt(spec, "rules").length === 0 && valueAt(spec, "defaultBackend") === undefined)
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
    "networking.v1.IngressClassSpec": [["controller", required]],
    "networking.v1.IngressClassParametersReference": [
      ["kind", required],
      ["name", required],
      ["scope", oneOf("Cluster", "Namespace")],
    ],
    "networking.v1.NetworkPolicySpec": [
      ["podSelector"],
      ["ingress"],
      ["egress"],
      ["policyTypes", eachOneOf("Egress", "Ingress")],
    ],
    "networking.v1.NetworkPolicyPort": [
      ["protocol", oneOf("SCTP", "TCP", "UDP")],
      ["port", portOrName],
      ["endPort", port],
    ],
    "networking.v1.NetworkPolicyPeer": [
      [
        "",
        (peer, findings) => {
          const block = valueAt(peer, "ipBlock");
          const selectors = ["podSelector", "namespaceSelector"].filter(
            (name) => valueAt(peer, name) !== undefined,
          );
          if (block === undefined && selectors.length === 0) findings.required("must specify a peer");
          if (block !== undefined && selectors.length > 0)
            findings.forbidden("may not specify both ipBlock and another peer");
        },
      ],
    ],
    "networking.v1.IPBlock": [["cidr", required, cidr]],
    "discovery.v1.EndpointSlice": [
      ["addressType", required, oneOf("FQDN", "IPv4", "IPv6")],
      ["endpoints"],
      ["ports"],
    ],
    "discovery.v1.Endpoint": [["addresses", requiredAddresses]],
    "discovery.v1.EndpointPort": [
      ["name", dnsLabel],
      ["protocol", oneOf("SCTP", "TCP", "UDP")],
      ["port", port],
    ],
  },
  changes: {
    "networking.v1.IngressClass": immutable("spec.controller"),
    "discovery.v1.EndpointSlice": immutable("addressType"),
  },
};

function ingressHost(host: unknown, findings: Findings): void {
  if (typeof host !== "string" || host === "") return;
  if (isIP(host) !== 0) findings.invalid(host, "must be a DNS name, not an IP address");
  const why = host.includes("*") ? wildcardSubdomain(host) : subdomain(host);
  if (why) findings.invalid(host, why);
}

function ingressPath(value: unknown, findings: Findings): void {
  const [type, path] = [textAt(value, "pathType"), textAt(value, "path")];
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
    if (textAt(resource, "kind") === "") findings.required("", "resource", "kind");
    if (textAt(resource, "name") === "") findings.required("", "resource", "name");
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
  const [portText, number] = [textAt(service, "port", "name"), valueAt(service, "port", "number")];
  if (portText !== "") {
    findings.enter("name");
    named(portName)(portText, findings);
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

function requiredAddresses(value: unknown, findings: Findings): void {
  if (!Array.isArray(value) || value.length === 0) findings.required("must contain at least 1 address");
}

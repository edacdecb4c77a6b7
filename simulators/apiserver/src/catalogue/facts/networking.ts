import { isIP } from "node:net";
import { parseCidr, within } from "../../cel/functions/ip-address.ts";
import { arrayAt, textAt, textsAt, valueAt } from "../../json/access.ts";
import { ingressHostname, network } from "../addresses.ts";
import { immutable } from "../changes.ts";
import {
  address,
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
import { pathSegmentName, dnsSubdomain as subdomain, wildcardSubdomain } from "../names.ts";
import type { GroupFacts } from "./group-facts.ts";

/** Facts: kubernetes pkg/apis/networking/v1/defaults.go and pkg/apis/networking/validation/validation.go. */
export const networkingFacts: GroupFacts = {
  defaults: `
networking.v1.Ingress spec={} status={}
networking.v1.IngressStatus loadBalancer={}
networking.v1.IngressClassParametersReference scope="Cluster"
networking.v1.NetworkPolicyPort protocol="TCP"
networking.v1.NetworkPolicySpec podSelector={}
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
      ["policyTypes", policyTypes],
    ],
    "networking.v1.NetworkPolicyPort": [
      ["protocol", oneOf("TCP", "UDP", "SCTP")],
      ["port", portOrName],
      ["", portRange],
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
    "networking.v1.IPBlock": [["", ipBlock]],
    "networking.v1.IngressTLS": [["", ingressTls]],
    "networking.v1.IngressLoadBalancerIngress": [
      ["ip", address],
      ["hostname", named(ingressHostname)],
    ],
  },
  changes: {
    "networking.v1.IngressClass": immutable("spec.controller"),
  },
};

function ingressHost(host: unknown, findings: Findings): void {
  if (typeof host !== "string" || host === "") return;
  if (isIP(host) !== 0) findings.invalid(host, "must be a DNS name, not an IP address");
  const why = host.includes("*") ? wildcardSubdomain(host) : subdomain(host);
  if (why) findings.invalid(host, why);
}

function ingressPath(value: unknown, findings: Findings): void {
  if (valueAt(value, "backend") === undefined)
    findings.invalid("", "resource or service backend is required", "backend");
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

function ingressTls(tls: unknown, findings: Findings): void {
  for (const [at, host] of textsAt(tls, "hosts").entries()) {
    const why = host.includes("*") ? wildcardSubdomain(host) : subdomain(host);
    if (why) findings.invalid(host, why, "hosts", at);
  }
  const secret = textAt(tls, "secretName");
  const why = secret === "" ? undefined : subdomain(secret);
  if (why) findings.invalid(secret, why, "secretName");
}

function policyTypes(value: unknown, findings: Findings): void {
  if (Array.isArray(value) && value.length > 2)
    findings.invalid(value, "may not specify more than two policyTypes");
  else eachOneOf("Egress", "Ingress")(value, findings);
}

function portRange(value: unknown, findings: Findings): void {
  const [first, last] = [valueAt(value, "port"), valueAt(value, "endPort")];
  if (typeof last !== "number") return;
  if (first === undefined)
    findings.invalid(last, "may not be specified when `port` is not specified", "endPort");
  else if (typeof first !== "number")
    findings.invalid(last, "may not be specified when `port` is non-numeric", "endPort");
  else if (last < first) findings.invalid(first, "must be greater than or equal to `port`", "endPort");
  else if (last > 65_535) findings.invalid(last, "must be between 1 and 65535, inclusive", "endPort");
}

function ipBlock(block: unknown, findings: Findings): void {
  const cidr = textAt(block, "cidr");
  const wrong = cidr === "" ? undefined : network(cidr);
  if (cidr === "") findings.required("", "cidr");
  if (wrong) findings.invalid(cidr, wrong, "cidr");
  const whole = parseCidr(cidr);
  for (const [at, text] of textsAt(block, "except").entries()) {
    const why = network(text);
    const part = parseCidr(text);
    const isInside = whole && part && within(whole, part) && part.prefix > whole.prefix;
    if (why) findings.invalid(text, why, "except", at);
    else if (!wrong && cidr !== "" && !isInside)
      findings.invalid(text, "must be a strict subset of `cidr`", "except", at);
  }
}

function ingressBackend(backend: unknown, findings: Findings): void {
  const [resource, service] = [valueAt(backend, "resource"), valueAt(backend, "service")];
  if (resource !== undefined && service !== undefined) {
    findings.invalid("", "cannot set both resource and service backends");
  } else if (resource !== undefined) {
    if (textAt(resource, "kind") === "") findings.required("", "resource", "kind");
    const name = textAt(resource, "name");
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
  const [portText, number] = [textAt(service, "port", "name"), valueAt(service, "port", "number")];
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

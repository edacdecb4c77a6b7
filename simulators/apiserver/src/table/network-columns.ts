import { ageColumn, type Column, nameColumn, text, textOf, wide } from "./column.ts";
import { labelText, selectorText } from "./label-text.ts";
import { at, listAt, numberAt, textAt } from "./read.ts";

export const serviceColumns: readonly Column[] = [
  nameColumn,
  textOf("Type", "spec.type"),
  text("Cluster-IP", (service) =>
    String(listAt(service, "spec", "clusterIPs")[0] ?? (textAt(service, "spec", "clusterIP") || "<none>")),
  ),
  text("External-IP", externalAddress),
  text("Port(s)", servicePorts),
  ageColumn,
  wide(text("Selector", (service) => labelText(at(service, "spec", "selector")))),
];

export const ingressColumns: readonly Column[] = [
  nameColumn,
  textOf("Class", "spec.ingressClassName", "<none>"),
  text("Hosts", (ingress) => {
    const hosts = listAt(ingress, "spec", "rules").map((rule) => textAt(rule, "host") || "*");
    return few(hosts, 3, ",") || "*";
  }),
  text("Address", (ingress) => balancerAddresses(ingress).join(",")),
  text("Ports", (ingress) => (listAt(ingress, "spec", "tls").length > 0 ? "80, 443" : "80")),
  ageColumn,
];

export const ingressClassColumns: readonly Column[] = [
  nameColumn,
  textOf("Controller", "spec.controller"),
  text("Parameters", (object) => {
    const parameters = at(object, "spec", "parameters");
    if (parameters === undefined) return "<none>";
    const group = textAt(parameters, "apiGroup");
    return `${textAt(parameters, "kind")}${group ? `.${group}` : ""}/${textAt(parameters, "name")}`;
  }),
  ageColumn,
];

export const networkPolicyColumns: readonly Column[] = [
  nameColumn,
  text("Pod-Selector", (policy) => selectorText(at(policy, "spec", "podSelector"))),
  ageColumn,
];

export const endpointsColumns: readonly Column[] = [
  nameColumn,
  text("Endpoints", (endpoints) => {
    const all = listAt(endpoints, "subsets").flatMap((subset) => {
      const addresses = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
      const ports = listAt(subset, "ports").map((port) => numberAt(port, "port"));
      return ports.length === 0
        ? addresses
        : ports.flatMap((port) => addresses.map((ip) => hostPort(ip, port)));
    });
    return few(all, 3, ",") || "<none>";
  }),
  ageColumn,
];

export const endpointSliceColumns: readonly Column[] = [
  nameColumn,
  textOf("AddressType", "addressType"),
  text(
    "Ports",
    (slice) =>
      few(
        listAt(slice, "ports").map((port) => String(at(port, "port") ?? "*")),
        3,
        ",",
      ) || "<unset>",
  ),
  text("Endpoints", (slice) => {
    const addresses = listAt(slice, "endpoints").flatMap((endpoint) =>
      listAt(endpoint, "addresses").map(String),
    );
    return few(addresses, 3, ",") || "<unset>";
  }),
  ageColumn,
];

function externalAddress(service: unknown): string {
  const own = listAt(service, "spec", "externalIPs").map(String);
  switch (textAt(service, "spec", "type")) {
    case "LoadBalancer": {
      const addresses = [...balancerAddresses(service), ...own];
      return addresses.length > 0 ? addresses.join(",") : "<pending>";
    }
    case "ExternalName":
      return textAt(service, "spec", "externalName");
    default:
      return own.join(",") || "<none>";
  }
}

function servicePorts(service: unknown): string {
  const ports = listAt(service, "spec", "ports").map((port) => {
    const nodePort = numberAt(port, "nodePort");
    return `${numberAt(port, "port")}${nodePort > 0 ? `:${nodePort}` : ""}/${textAt(port, "protocol") || "TCP"}`;
  });
  return ports.join(",") || "<none>";
}

function balancerAddresses(object: unknown): readonly string[] {
  const ingress = listAt(object, "status", "loadBalancer", "ingress");
  return ingress
    .map((each) => textAt(each, "ip") || textAt(each, "hostname"))
    .filter((address) => address !== "");
}

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** The first `most` items, and how many more there are. */
function few(items: readonly string[], most: number, separator: string): string {
  const shown = items.slice(0, most).join(separator);
  return items.length > most ? `${shown} + ${items.length - most} more...` : shown;
}

import { errors } from "./errors.ts";

/**
 * Hosts to which the client of one registry may send requests. The registry's responses contain URLs of further hosts. Without
 * this allow-list, a malicious registry could direct requests to internal services.
 */
export interface HostRules {
  /** Host of the registry, `host[:port]`. */
  readonly registry: string;
  /** Additional hosts of token services. An entry is `host[:port]`, or `*.domain` for all subdomains on port 443. */
  readonly authHosts: readonly string[];
  /** Hosts to which the registry may redirect downloads. These hosts receive no credentials. */
  readonly redirectHosts: readonly string[];
}

/**
 * Parses a URL and checks its host, which must be the registry's host or match an entry of `rules[use]`.
 * @throws HostNotAllowed, which names the configuration property for the host
 */
export function allowedUrl(
  text: string,
  base: URL,
  rules: HostRules,
  use: "authHosts" | "redirectHosts",
): URL {
  const url = URL.parse(text, base.href);
  if (url && isAllowed(url, [rules.registry, ...rules[use]])) return url;
  const target = url ? `${url.protocol}//${url.host}` : JSON.stringify(text.slice(0, 200));
  throw errors.HostNotAllowed(
    `registry ${rules.registry} names ${target}, which is not https on one of its hosts: ` +
      `if it is right, add the host to registries["${rules.registry}"].${use}`,
  );
}

/**
 * Parses a URL and checks that it has the registry's own origin. Only this origin receives credentials and content.
 * @throws HostNotAllowed
 */
export function ownUrl(text: string, base: URL, { registry }: HostRules): URL {
  const url = URL.parse(text, base.href);
  if (url && isAllowed(url, [registry])) return url;
  throw errors.HostNotAllowed(`registry ${registry} wants an upload sent to another host, which it may not`);
}

function isAllowed(url: URL, hosts: readonly string[]): boolean {
  if (url.protocol !== "https:" || url.username !== "" || url.password !== "") return false;
  return hosts.some((host) =>
    host.startsWith("*.")
      ? url.port === "" && url.hostname.endsWith(host.slice(1).toLowerCase()) && !isAddress(url.hostname)
      : url.host === host.toLowerCase().replace(/:443$/, ""),
  );
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
}

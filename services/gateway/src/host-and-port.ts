/**
 * Parses the target of a CONNECT request. The target has the form `host:port`, with IPv6 addresses in brackets. Returns undefined
 * for an invalid target.
 */
export function hostAndPort(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || host.length > 253 || port < 1 || port > 65_535) return undefined;
  return { host, port };
}

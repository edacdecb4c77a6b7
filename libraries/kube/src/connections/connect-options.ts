import { isIP, type LookupFunction } from "node:net";
import type { SecureContext } from "node:tls";
import { type KubeAccess, readKubeconfig } from "../kubeconfig/read-kubeconfig.ts";
import { secureContextOf } from "./secure-contexts.ts";
import { type TlsSession, tlsSessionOf } from "./tls-sessions.ts";

/** Connection settings for one API server and user. */
export interface ConnectOptions {
  /** Scheme, host and port of the server. */
  readonly origin: string;
  /** Base path of the server, without a trailing slash. */
  readonly basePath: string;
  /** IP address to connect to. Default: the address that DNS returns for the server's name. */
  readonly internalAddress?: string | undefined;
  readonly tls: KubeAccess["tls"] & {
    readonly secureContext: SecureContext;
    readonly lookup?: LookupFunction;
    /** Session of the last connection with these options. */
    readonly resumption: TlsSession;
  };
}

/**
 * Returns the connection options of an API server. `internalAddress` is an IPv4 address with an optional port. This address is
 * used for servers with a name that starts with `api-int.`.
 */
export function connectOptions(access: KubeAccess, internalAddress: string | undefined): ConnectOptions {
  const { hostname, pathname } = access.server;
  const isInternal = internalAddress !== undefined && hostname.startsWith("api-int.");
  const [address = "", port] = (isInternal ? internalAddress : "").split(":");
  const server = new URL(access.server);
  if (port !== undefined) server.port = port;
  const { ca, cert, key, servername } = access.tls;
  const { origin } = server;
  return {
    origin,
    basePath: pathname.replace(/\/$/, ""),
    tls: {
      ...access.tls,
      secureContext: secureContextOf(access.tls),
      resumption: tlsSessionOf([origin, isInternal ? address : undefined, servername, ca, cert, key]),
      ...(isInternal ? { lookup: alwaysAt(address) } : {}),
    },
    internalAddress: isInternal ? internalAddress : undefined,
  };
}

/** API server connection for proxies that forward client requests. */
export interface KubeEndpoint extends ConnectOptions {
  /** Returns the headers that authenticate the kubeconfig's user. Empty if a client certificate authenticates the user. */
  headers(): Promise<Readonly<Record<string, string>>>;
}

/** @throws KubeError InvalidKubeconfig, which names the invalid field */
export function kubeEndpoint(kubeconfig: string, internalAddress: string | undefined): KubeEndpoint {
  const access = readKubeconfig(kubeconfig);
  return { ...connectOptions(access, internalAddress), headers: () => access.headers() };
}

/** Returns a DNS lookup function that resolves every name to one address. */
function alwaysAt(address: string): LookupFunction {
  const family = isIP(address);
  return (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

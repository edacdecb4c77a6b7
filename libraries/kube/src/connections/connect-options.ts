import { isIP, type LookupFunction } from "node:net";
import type { SecureContext } from "node:tls";
import { type KubeAccess, readKubeconfig } from "../kubeconfig/read-kubeconfig.ts";
import { secureContextOf } from "./secure-contexts.ts";

/** How connections to one API server are made as one user. */
export interface ConnectOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The server's own path, without a slash at its end. */
  readonly basePath: string;
  /** Where it is, whatever its name says. */
  readonly internalAddress?: string | undefined;
  readonly tls: KubeAccess["tls"] & {
    readonly secureContext: SecureContext;
    readonly lookup?: LookupFunction;
  };
}

/** `internalAddress` is an IPv4 address, with or without a port, for servers whose name starts with `api-int.`. */
export function connectOptions(access: KubeAccess, internalAddress: string | undefined): ConnectOptions {
  const { hostname, pathname } = access.server;
  const isInternal = internalAddress !== undefined && hostname.startsWith("api-int.");
  const [address = "", port] = (isInternal ? internalAddress : "").split(":");
  const server = new URL(access.server);
  if (port !== undefined) server.port = port;
  return {
    origin: server.origin,
    basePath: pathname.replace(/\/$/, ""),
    tls: {
      ...access.tls,
      secureContext: secureContextOf(access.tls),
      ...(isInternal ? { lookup: alwaysAt(address) } : {}),
    },
    ...(isInternal ? { internalAddress } : {}),
  };
}

/** An API server for those that pass on the requests of others. */
export interface KubeEndpoint extends ConnectOptions {
  /** The headers that authenticate the user of the kubeconfig, where no certificate does. */
  headers(): Promise<Readonly<Record<string, string>>>;
}

/** @throws KubeError InvalidKubeconfig naming the field at fault */
export function kubeEndpoint(kubeconfig: string, internalAddress: string | undefined): KubeEndpoint {
  const access = readKubeconfig(kubeconfig);
  return { ...connectOptions(access, internalAddress), headers: () => access.headers() };
}

/** Answers every look-up of a name with one address. */
function alwaysAt(address: string): LookupFunction {
  const family = isIP(address);
  return (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

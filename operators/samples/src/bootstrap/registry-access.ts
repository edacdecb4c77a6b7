import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { connect } from "node:tls";
import { withTimeout } from "@keelson/base";

/** Registry that contains the images of most samples. Clients need an account. */
export const termsBasedRegistry = "registry.redhat.io";

/** Network access of the operator. It determines the initial state of the samples. */
export interface RegistryAccess {
  /** True if the machine has no IPv4 address. */
  readonly isIpv6Only: () => boolean;
  /** Opens a TLS connection. Resolves when the connection is established, and rejects if it fails. */
  readonly connect: (host: string, signal: AbortSignal) => Promise<void>;
}

const timeoutMs = 15_000;

/** Network access of this machine. The connection timeout includes the TLS handshake. */
export const machineRegistryAccess: RegistryAccess = {
  isIpv6Only: () => {
    const addresses = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal }) => !internal);
    return addresses.length > 0 && addresses.every(({ family }) => family === "IPv6");
  },
  connect: async (host, signal) => {
    const limited = withTimeout(signal, timeoutMs);
    await lookup(host);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = connect({ host, port: 443, servername: host }, resolve).once("error", reject);
    const abort = () => reject(limited.reason);
    limited.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      limited.removeEventListener("abort", abort);
      socket.destroy();
    }
  },
};

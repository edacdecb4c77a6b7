import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { connect } from "node:tls";
import { withTimeout } from "@keelson/base";

/** The registry whose images need an account, which most samples use. */
export const termsBasedRegistry = "registry.redhat.io";

/** What the operator must know of its network when it first starts. */
export interface RegistryAccess {
  /** No address of the machine is of IPv4. */
  readonly isIpv6Only: () => boolean;
  /** Resolves when a TLS connection can be made; rejects otherwise. */
  readonly connect: (host: string, signal: AbortSignal) => Promise<void>;
}

const timeoutMs = 15_000;

/** That of this machine. A connection includes the handshake, under one limit of time. */
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

import { httpConnectTimeoutMs, type KeyPair } from "@keelson/base";
import { Agent } from "undici";

/** Returns an HTTPS agent for one user. The agent trusts servers with certificates of `authority`. */
export function agentFor(authority: KeyPair, user: KeyPair | undefined, connections?: number): Agent {
  return new Agent({
    ...(connections === undefined ? {} : { connections }),
    connect: {
      timeout: httpConnectTimeoutMs,
      ca: authority.certificatePem,
      ...(user ? { cert: user.certificatePem, key: user.privateKeyPem } : {}),
    },
  });
}

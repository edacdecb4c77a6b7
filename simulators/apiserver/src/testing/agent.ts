import type { KeyPair } from "@keelson/base";
import { Agent } from "undici";

/** HTTPS connections of one user to servers with certificates of one CA. */
export function agentFor(authority: KeyPair, user: KeyPair | undefined, connections?: number): Agent {
  return new Agent({
    ...(connections === undefined ? {} : { connections }),
    connect: {
      ca: authority.certificatePem,
      ...(user ? { cert: user.certificatePem, key: user.privateKeyPem } : {}),
    },
  });
}

import type { Algorithms } from "ssh2";

/** Algorithms that FIPS 140-3 approves, in order of preference (Azure/ARO-RP pkg/util/ssh/algorithms.go). */
const approved = {
  kex: ["ecdh-sha2-nistp256", "ecdh-sha2-nistp384", "ecdh-sha2-nistp521", "diffie-hellman-group14-sha256"],
  serverHostKey: [
    "rsa-sha2-512",
    "rsa-sha2-256",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
  ],
  cipher: ["aes256-ctr", "aes192-ctr", "aes128-ctr"],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512"],
  compress: ["none"],
} as const;

/**
 * Returns the algorithms for the connection to the client and for the connection to the master. Without FIPS mode, the lists also
 * include Curve25519 keys and key exchanges.
 */
export function sshAlgorithms(fips: boolean): Algorithms {
  const kex = fips ? approved.kex : ([...approved.kex, "curve25519-sha256"] as const);
  const serverHostKey = fips ? approved.serverHostKey : ([...approved.serverHostKey, "ssh-ed25519"] as const);
  return {
    kex: [...kex],
    serverHostKey: [...serverHostKey],
    cipher: [...approved.cipher],
    hmac: [...approved.hmac],
    compress: [...approved.compress],
  };
}

import { createHash, scryptSync } from "node:crypto";
import type { InstallState } from "@keelson/installers";

const hashBytes = 32;

/**
 * The Secret with which a simulated cluster checks the password of `kubeadmin`: `$scrypt$salt$hash`. It is
 * deterministic, so that a repeated step requests the same machine.
 */
export function kubeadminSecret({ clusterId, kubeadminPassword }: InstallState): object {
  const salt = createHash("sha256").update(clusterId).digest();
  const hash = scryptSync(kubeadminPassword, salt, hashBytes);
  const text = `$scrypt$${salt.toString("base64url")}$${hash.toString("base64url")}`;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "kube-system", name: "kubeadmin" },
    data: { kubeadmin: Buffer.from(text).toString("base64") },
  };
}

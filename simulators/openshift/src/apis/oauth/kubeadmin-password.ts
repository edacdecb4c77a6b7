import { scryptSync, timingSafeEqual } from "node:crypto";
import type { ClusterClient } from "@keelson/apiserver";
import { textAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";

const key = { namespace: "kube-system", name: "kubeadmin" };

/** Whether a password is that of `kubeadmin`. Without its secret nobody is: that is how the user is taken away. */
export async function isKubeadminPassword(client: ClusterClient, password: string): Promise<boolean> {
  const encoded = textAt(await client.find(resources.secrets, key), "data", "kubeadmin");
  const [, scheme, salt = "", hash = ""] = Buffer.from(encoded ?? "", "base64")
    .toString()
    .split("$");
  if (scheme !== "scrypt" || !hash) return false;
  const wanted = Buffer.from(hash, "base64url");
  return timingSafeEqual(scryptSync(password, Buffer.from(salt, "base64url"), wanted.length), wanted);
}

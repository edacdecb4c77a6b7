import { scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { ClusterClient } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import { hasHash } from "../../bcrypt/passwords.ts";

const key = { namespace: "kube-system", name: "kubeadmin" };
const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/**
 * True if the password of `kubeadmin` is correct. Without the password's Secret, the user does not exist and the result is false.
 * @throws TooManyPasswords
 */
export async function isKubeadminPassword(client: ClusterClient, password: string): Promise<boolean> {
  const encoded = stringAt(await client.find(resources.secrets, key), "data", "kubeadmin");
  const hash = Buffer.from(encoded ?? "", "base64").toString();
  return hash.startsWith("$scrypt$") ? hasScryptHash(password, hash) : hasHash(password, hash, client);
}

/** True if the password matches `$scrypt$salt$hash`. Clusters installed by earlier releases use this format. */
async function hasScryptHash(password: string, text: string): Promise<boolean> {
  const [, , salt = "", hash = ""] = text.split("$");
  const wanted = Buffer.from(hash, "base64url");
  if (wanted.length === 0) return false;
  return timingSafeEqual(await derive(password, Buffer.from(salt, "base64url"), wanted.length), wanted);
}

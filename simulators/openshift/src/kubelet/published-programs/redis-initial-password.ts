import { randomInt } from "node:crypto";
import { isAlreadyExists, resources } from "@keelson/kube";
import { stringMapAt } from "../../base/fields.ts";
import type { PublishedProgram } from "./published-program.ts";

const name = "argocd-redis";
const key = "auth";
const length = 16;
const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";

/**
 * Command `argocd admin redis-initial-password`. It creates the Secret with Redis' password. An existing Secret stays unchanged.
 * @see argoproj/argo-cd cmd/argocd/commands/admin/redis_initial_password.go
 */
export const redisInitialPassword: PublishedProgram = {
  handles: ([group, command]) => group === "admin" && command === "redis-initial-password",
  async run({ args, namespace: own, kube, print, signal }) {
    const namespace = namespaceIn(args) ?? own;
    await print(`Checking for initial Redis password in secret ${namespace}/${name} at key ${key}.`);
    const password = Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name },
      type: "Opaque",
      data: { [key]: Buffer.from(password).toString("base64") },
    };
    try {
      await kube.create(resources.secrets, secret, signal);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    await print(`Argo CD Redis secret state confirmed: secret name ${name}.`);
    const stored = await kube.get(resources.secrets, { namespace, name }, signal);
    if (stringMapAt(stored, "data")[key] === undefined)
      throw new Error(`key ${key} doesn't exist in secret ${name}.`);
    await print("Password secret is configured properly.");
  },
};

/** Returns the value of kubectl's flag `--namespace` or `-n`. */
function namespaceIn(args: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    const [flag, value] = arg.split("=", 2);
    if (flag === "--namespace" || flag === "-n") return value ?? args[index + 1];
  }
  return undefined;
}

import { createHash, randomBytes } from "node:crypto";
import { badRequest } from "../arm/arm-error.ts";
import { keyOf } from "../arm/arm-path.ts";
import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";

const names = ["password1", "password2"];

/** Generates one or both passwords of a token. Only the response to this request contains the passwords. */
export function generateCredentials(
  registry: ResourceRecord,
  { body }: ArmRequest,
  subscription: Subscription,
): ArmResponse {
  const tokenId = nonEmptyStringAt(body, "tokenId") ?? "";
  const token = subscription.resources.find(tokenId);
  if (!token || !keyOf(tokenId).startsWith(`${keyOf(registry.id)}/tokens/`)) {
    throw badRequest("TokenNotFound", `The token '${tokenId}' is not one of the registry ${registry.name}.`);
  }
  const name = nonEmptyStringAt(body, "name");
  if (name !== undefined && !names.includes(name)) {
    throw badRequest("InvalidPasswordName", `The password '${name}' is not one of ${names.join(", ")}.`);
  }
  const expiry = nonEmptyStringAt(body, "expiry");
  const made = (name === undefined ? names : [name]).map((each) => ({
    name: each,
    creationTime: timestamp(subscription),
    ...(expiry === undefined ? {} : { expiry }),
    value: randomBytes(39).toString("base64url"),
  }));
  const kept = objectsAt(token.body, "properties", "credentials", "passwords").filter(
    (each) => !made.some((other) => other.name === each.name),
  );
  const shown = made.map(({ value: _, ...password }) => password);
  const passwords = [...kept, ...shown].sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  const hashes = Object.fromEntries(made.map((each) => [each.name, hashOf(each.value)]));
  subscription.resources.put({
    ...token,
    body: withProperties(token.body, { credentials: { certificates: [], passwords } }),
    hidden: { ...token.hidden, ...hashes },
  });
  return ok({ username: token.name, passwords: made });
}

/** Returns the hash of a password. Only hashes are stored. */
function hashOf(password: string): string {
  return createHash("sha256").update(password).digest("hex");
}

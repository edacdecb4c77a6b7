import { randomBytes } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import type { Subscription } from "./subscription.ts";

/** Returns the subscription's signing key for one purpose. The key is persisted, so signatures remain valid after a restart. */
export function signingKey(subscription: Subscription, purpose: string): Buffer {
  const table = subscription.store.table<JsonObject>("signing-key");
  const kept = table.get(purpose);
  if (typeof kept?.key === "string") return Buffer.from(kept.key, "base64");
  const key = randomBytes(32);
  subscription.store.transaction(() => table.set(purpose, { key: key.toString("base64") }));
  return key;
}

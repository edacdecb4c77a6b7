import { listAt, stringAt } from "@keelson/base";
import type { Warning } from "./warning.ts";

/** Time in ms before the expiry at which the warning starts. The customer needs this time to plan the rotation. */
const noticeMs = 30 * 86_400_000;

/**
 * Returns the expiry of the client secret, read from the secret's application in Microsoft Graph. Each credential of the
 * application has a hint with the first characters of its secret. If no hint matches, the latest expiry is returned.
 */
export function secretEnd(application: unknown, secret: string): Date | undefined {
  const passwords = listAt(application, "passwordCredentials");
  const own = passwords.filter((each) => {
    const hint = stringAt(each, "hint");
    return hint !== undefined && hint !== "" && secret.startsWith(hint);
  });
  const ends = (own.length > 0 ? own : passwords)
    .map((each) => Date.parse(stringAt(each, "endDateTime") ?? ""))
    .filter((end) => !Number.isNaN(end));
  return ends.length === 0 ? undefined : new Date(Math.max(...ends));
}

export function expiringCredentials(clientId: string, end: Date | undefined, now: Date): Warning | undefined {
  if (!end || end.getTime() - now.getTime() > noticeMs) return undefined;
  return {
    name: "aro-sre-expiring-credentials",
    reason: "ExpiringCredentials",
    text: `The client secret of the cluster's service principal ${clientId} is valid until ${end.toISOString().slice(0, 10)}. The cluster fails without a valid one: replace it with 'az aro update --refresh-credentials'`,
  };
}

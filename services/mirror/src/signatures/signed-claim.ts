import { isPlainObject, valueAt } from "@keelson/base";

/** Payload of a container image signature (the "simple signing" format). It names the signed manifest. */
export interface SignedClaim {
  readonly digest: string;
  readonly type: string;
}

/** Returns undefined for other content. */
export function parseSignedClaim(content: Uint8Array): SignedClaim | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(content).toString("utf8"));
    const critical = valueAt(value, "critical");
    if (!isPlainObject(critical) || !isPlainObject(critical.image)) return undefined;
    const digest = critical.image["docker-manifest-digest"];
    const { type } = critical;
    return typeof digest === "string" && typeof type === "string" ? { digest, type } : undefined;
  } catch {
    return undefined;
  }
}

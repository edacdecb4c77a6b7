import { isPlainObject, valueAt } from "@keelson/base";

/** Signed payload of a container image signature ("simple signing" format). It contains the manifest's digest. */
export interface SignedClaim {
  readonly digest: string;
  readonly type: string;
}

/** Parses a claim. Returns undefined for invalid content. */
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

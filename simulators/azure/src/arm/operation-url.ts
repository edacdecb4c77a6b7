import { createHash, createHmac, randomBytes } from "node:crypto";

/** Key for signatures in operation URLs. URLs in Azure are signed. The simulation does not verify signatures. */
const key = randomBytes(32);
const certificate = randomBytes(2_048).toString("base64url");
/** Number of 100 ns ticks from year 1 to 1970. */
const epochTicks = 621_355_968_000_000_000n;

/**
 * Adds the parameters that Azure Resource Manager has used in operation URLs since 2024: time in ticks, certificate, signature
 * and hash. Each call returns a different URL.
 */
export function signedOperationUrl(url: string, now: Date): string {
  const stamped = `${url}&t=${epochTicks + BigInt(now.getTime()) * 10_000n}`;
  const signature = createHmac("sha512", key).update(stamped).digest("base64url");
  const hash = createHash("sha256").update(stamped).digest("base64url");
  return `${stamped}&c=${certificate}&s=${signature}&h=${hash}`;
}

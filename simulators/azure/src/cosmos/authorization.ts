import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock, Secret } from "@keelson/base";
import type { Address } from "./address.ts";
import { CosmosError } from "./errors/cosmos-error.ts";

/** Accepted credentials: the account's key, and tokens that `verifyToken` accepts. */
export interface Authorization {
  /** Account key, base64. */
  readonly key: Secret;
  /** Resolves to the rejection reason of a token, or `undefined` for a valid token. Default: all tokens are rejected. */
  readonly verifyToken?: (token: string, url: string) => Promise<string | undefined>;
  readonly clock: Clock;
}

/** Maximum difference in ms between the date of a signature and the current time. */
const maxSkewMs = 15 * 60_000;

interface Call {
  readonly method: string;
  readonly address: Address;
  header(name: string): string | undefined;
  /** URL of the account to which the client sent the request. */
  readonly url: string;
}

/** Authorizes a request. @throws CosmosError 401, 403 */
export async function authorize(
  { key, verifyToken, clock }: Authorization,
  { method, address, header, url }: Call,
): Promise<"key" | "token"> {
  const fields = new URLSearchParams(decoded(header("authorization")).replaceAll("+", "%2B"));
  const signature = fields.get("sig") ?? "";
  if (fields.get("type") === "aad") {
    const refusal = verifyToken ? await verifyToken(signature, url) : "This account accepts no tokens.";
    if (refusal === undefined) return "token";
    throw new CosmosError(401, "Unauthorized", refusal);
  }
  if (fields.get("type") !== "master") {
    throw new CosmosError(
      401,
      "Unauthorized",
      "Required Header authorization is missing or of an unknown type.",
    );
  }
  const date = header("x-ms-date") ?? header("date") ?? "";
  const skew = Math.abs(Date.parse(date) - clock.now().getTime());
  if (!(skew <= maxSkewMs)) {
    throw new CosmosError(403, "Forbidden", "The authorization token is not valid at the current time.");
  }
  const text = `${method.toLowerCase()}\n${address.resourceType}\n${address.resourceLink}\n${date.toLowerCase()}\n\n`;
  const expected = createHmac("sha256", Buffer.from(key.reveal(), "base64")).update(text).digest();
  const given = Buffer.from(signature, "base64");
  if (given.length === expected.length && timingSafeEqual(given, expected)) return "key";
  throw new CosmosError(
    401,
    "Unauthorized",
    "The input authorization token can't serve the request. The wrong key is being used or the expected payload is not built as per the protocol.",
  );
}

function decoded(authorization: string | undefined): string {
  try {
    return decodeURIComponent(authorization ?? "");
  } catch {
    return "";
  }
}

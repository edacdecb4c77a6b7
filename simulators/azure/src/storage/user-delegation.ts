import { createHmac } from "node:crypto";
import type { Principal } from "../arm/principal.ts";
import { signingKey } from "../arm/signing-key.ts";
import type { Subscription } from "../arm/subscription.ts";
import { Directory } from "../entra/directory.ts";
import type { BlobRequest } from "./blob-request.ts";
import type { BlobResponse } from "./blob-response.ts";
import { xmlDocument } from "./blob-xml.ts";
import { elementsIn, textOf } from "./request-xml.ts";
import { StorageError } from "./storage-error.ts";

const mostMs = 7 * 86_400_000;

/** Fields of a user delegation key. They have the names of the corresponding SAS URL parameters. */
type KeyFields = Readonly<Record<"skoid" | "sktid" | "skt" | "ske" | "sks" | "skv", string>>;

/**
 * Handles `POST ?restype=service&comp=userdelegationkey`. Returns a key with which the caller signs SAS URLs. The key is valid
 * for at most a week.
 */
export function userDelegationKey(
  subscription: Subscription,
  { account, headers, body }: BlobRequest,
  principal: Principal | undefined,
): BlobResponse {
  if (!principal) throw refused(403, "AuthenticationFailed", "A user delegation key requires a token.");
  const asked = elementsIn(body, "KeyInfo");
  const time = (name: string) => Date.parse(textOf(asked, name) ?? "");
  const [start, expiry] = [time("Start"), time("Expiry")];
  const now = subscription.clock.outside.now().getTime();
  if (!(expiry > Math.max(now, start)) || !(expiry - now <= mostMs)) {
    throw refused(400, "InvalidXmlNodeValue", "The key must end after its start, and within seven days.");
  }
  const text = (milliseconds: number) => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
  const fields: KeyFields = {
    ...{ skoid: principal.objectId, sktid: subscription.tenantId, skt: text(start), ske: text(expiry) },
    ...{ sks: "b", skv: headers["x-ms-version"] ?? "2021-08-06" },
  };
  const key = {
    SignedOid: fields.skoid,
    SignedTid: fields.sktid,
    SignedStart: fields.skt,
    SignedExpiry: fields.ske,
    SignedService: fields.sks,
    SignedVersion: fields.skv,
    Value: keyOf(subscription, account, fields),
  };
  return { status: 200, body: xmlDocument({ UserDelegationKey: key }) };
}

/**
 * Returns the delegation key and the signer of a SAS URL. Returns `undefined` if the key has expired or the signer does not
 * exist.
 */
export function delegationIn(
  subscription: Subscription,
  { account, query }: BlobRequest,
): { readonly key: string; readonly principal: Principal } | undefined {
  const part = (name: string) => query.get(name) ?? "";
  const found = new Directory(subscription.store).findPrincipal(part("skoid"))?.entry;
  const now = subscription.clock.outside.now().getTime();
  if (!found || !(Date.parse(part("skt")) <= now && now < Date.parse(part("ske")))) return undefined;
  const fields = {
    ...{ skoid: part("skoid"), sktid: part("sktid"), skt: part("skt") },
    ...{ ske: part("ske"), sks: part("sks"), skv: part("skv") },
  };
  const clientId = "clientId" in found ? found.clientId : "";
  return { key: keyOf(subscription, account, fields), principal: { clientId, objectId: found.objectId } };
}

/** Derives a delegation key from its fields. Delegation keys therefore do not need to be stored. */
function keyOf(subscription: Subscription, account: string, fields: KeyFields): string {
  const lines = [account, fields.skoid, fields.sktid, fields.skt, fields.ske, fields.sks, fields.skv];
  return createHmac("sha256", signingKey(subscription, "user-delegation"))
    .update(lines.join("\n"))
    .digest("base64");
}

function refused(status: number, code: string, message: string): StorageError {
  return new StorageError(status, code, message);
}

import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyReply } from "fastify";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { keyOf } from "../arm/arm-path.ts";
import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import { signingKey } from "../arm/signing-key.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at } from "../base/json.ts";
import { serialConsoleLog } from "./serial-console.ts";

/** Maximum number of boots in the log. Older boots are removed. */
const bootsKept = 5;
const usualMinutes = 120;
const mostMinutes = 1_440;

/** Returns the machine with an additional boot at `time` in its console log. Called after a power-on. */
export function withBoot(record: ResourceRecord, time: string): ResourceRecord {
  const boots = [...bootsOf(record), time].slice(-bootsKept);
  return { ...record, hidden: { ...record.hidden, boots } };
}

/** Returns signed, expiring URLs of a machine's boot diagnostics. */
export function retrieveBootDiagnostics(
  record: ResourceRecord,
  { query, baseUrl }: ArmRequest,
  subscription: Subscription,
): ArmResponse {
  const asked = query.get("sasUriExpirationTimeInMinutes");
  const minutes = asked === null ? usualMinutes : Number(asked);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > mostMinutes) {
    throw badRequest("InvalidParameter", `sasUriExpirationTimeInMinutes must be from 1 to ${mostMinutes}.`);
  }
  const expiry = `${subscription.clock.now().getTime() + minutes * 60_000}`;
  const query_ = new URLSearchParams({ se: expiry, sig: signatureOf(subscription, record.id, expiry) });
  return ok({
    serialConsoleLogBlobUri: `${baseUrl}/bootdiagnostics${record.id}/serialconsole.log?${query_}`,
  });
}

/** Handles a request with a signed URL for a serial console log. */
export function serveSerialConsole(
  subscription: Subscription,
  segments: readonly string[],
  query: URLSearchParams,
  reply: FastifyReply,
): undefined {
  const id = `/${segments.slice(0, -1).join("/")}`;
  const [expiry = "", signature = ""] = [query.get("se") ?? "", query.get("sig") ?? ""];
  const expected = Buffer.from(signatureOf(subscription, id, expiry));
  const given = Buffer.from(signature);
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isSigned || Number(expiry) < subscription.clock.now().getTime()) {
    throw new ArmError(403, "AuthenticationFailed", "The signature of the address is wrong or too old.");
  }
  const record = subscription.resources.find(keyOf(id));
  if (!record) throw new ArmError(404, "BlobNotFound", "The specified blob does not exist.");
  void reply
    .code(200)
    .header("content-type", "application/octet-stream")
    .send(serialConsoleLog(record, bootsOf(record)));
}

function bootsOf({ hidden }: ResourceRecord): readonly string[] {
  const boots = at(hidden, "boots");
  return Array.isArray(boots) ? boots.filter((each) => typeof each === "string") : [];
}

function signatureOf(subscription: Subscription, id: string, expiry: string): string {
  return createHmac("sha256", signingKey(subscription, "boot-diagnostics"))
    .update(`${id.toLowerCase()}\n${expiry}`)
    .digest("base64url");
}

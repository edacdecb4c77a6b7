import { createHash, X509Certificate } from "node:crypto";
import type { Clock } from "@keelson/base";
import * as jose from "jose";
import type { Subscription } from "../arm/subscription.ts";
import { federatedCredentialsOf } from "../managed-identity/credentials/federated-identity-credentials.ts";
import { IdentityCertificates } from "../managed-identity/credentials/identity-certificates.ts";
import type { Client } from "./client.ts";
import type { IssuerKeys } from "./issuer-keys.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** Allowed difference between the clocks of the client and this machine, in seconds. */
const toleranceSeconds = 300;

const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384"];

/** Required value of `client_assertion_type` (RFC 7523). */
export const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export interface AssertionDeps {
  readonly subscription: Subscription;
  readonly clock: Clock;
  readonly issuerKeys: IssuerKeys;
}

/**
 * Returns the reason why an assertion does not authenticate `client`. Returns `undefined` for a valid assertion. A valid
 * assertion is signed by one of the client's certificates, or by the issuer of one of its federated credentials.
 */
export async function refuseAssertion(
  deps: AssertionDeps,
  client: Client,
  assertion: string,
  authority: string,
): Promise<Refusal | undefined> {
  const claims = claimsOf(assertion);
  if (!claims) return invalid(50027, "JWT token is invalid or malformed.");
  return claims.iss?.toLowerCase() === client.clientId.toLowerCase()
    ? refuseCertificate(deps, client, assertion, authority)
    : refuseFederated(deps, client, assertion, claims);
}

async function refuseCertificate(
  { subscription, clock }: AssertionDeps,
  client: Client,
  assertion: string,
  authority: string,
): Promise<Refusal | undefined> {
  const header = jose.decodeProtectedHeader(assertion);
  const certificate = certificatesOf(subscription, client).find((each) => isMeant(header, each));
  const unknown = (reason: string) =>
    invalid(
      700027,
      `The certificate used to sign the client assertion is not registered on application '${client.clientId}'. ${reason}`,
    );
  if (!certificate) return unknown("[Reason - The key was not found.]");
  if (certificate.validToDate < clock.now()) return unknown("[Reason - The key used is expired.]");
  try {
    const { payload } = await jose.jwtVerify(assertion, certificate.publicKey, timesOf(subscription));
    const isForUs = [payload.aud]
      .flat()
      .some((each) => each?.toLowerCase().startsWith(authority.toLowerCase()));
    return isForUs
      ? undefined
      : invalid(700023, "Client assertion audience claim does not match the authority.");
  } catch (error) {
    return error instanceof jose.errors.JWTExpired
      ? outOfTime
      : unknown("[Reason - The key was found, but the signature is invalid.]");
  }
}

function certificatesOf(
  subscription: Subscription,
  { principal, application }: Client,
): readonly X509Certificate[] {
  const ofIdentity = new IdentityCertificates(subscription.store).find(principal?.identityId ?? "");
  return [
    ...(ofIdentity ? [ofIdentity.certificatePem] : []),
    ...[principal, application]
      .flatMap((each) => each?.certificates ?? [])
      .map(({ certificate }) => Buffer.from(certificate, "base64")),
  ].map((each) => new X509Certificate(each));
}

/** True if the header identifies this certificate by its SHA-1 thumbprint, its SHA-256 thumbprint or its content. */
function isMeant(header: jose.ProtectedHeaderParameters, { raw }: X509Certificate): boolean {
  const [sent] = Array.isArray(header.x5c) ? header.x5c : [];
  const { x5t, "x5t#S256": x5tS256 } = header;
  if (typeof x5tS256 === "string") return sameBytes(x5tS256, createHash("sha256").update(raw).digest());
  if (typeof x5t === "string") return sameBytes(x5t, createHash("sha1").update(raw).digest());
  return typeof sent === "string" && Buffer.from(sent, "base64").equals(raw);
}

/** True if a string encodes the given bytes in base64, base64url or hexadecimal. */
function sameBytes(text: string, bytes: Buffer): boolean {
  return Buffer.from(text, "base64").equals(bytes) || text.toLowerCase() === bytes.toString("hex");
}

async function refuseFederated(
  { subscription, issuerKeys }: AssertionDeps,
  { principal, application }: Client,
  assertion: string,
  claims: jose.JWTPayload,
): Promise<Refusal | undefined> {
  const credentials = [
    ...(principal?.identityId === undefined
      ? []
      : federatedCredentialsOf(subscription, principal.identityId)),
    ...(application?.federations ?? []),
  ];
  const { iss: issuer = "", sub: subject = "" } = claims;
  const audiences = [claims.aud ?? []].flat();
  const ofIssuer = credentials.filter((each) => each.issuer === issuer);
  if (ofIssuer.length === 0) return noMatch(700211, "issuer", issuer);
  const ofSubject = ofIssuer.filter((each) => each.subject === subject);
  if (ofSubject.length === 0) return noMatch(700213, "subject", subject);
  if (!ofSubject.some((each) => each.audiences.some((one) => audiences.includes(one)))) {
    return noMatch(700212, "audience", audiences.join(" "));
  }
  let keys: jose.JSONWebKeySet;
  try {
    keys = await issuerKeys(issuer);
  } catch {
    return invalid(
      50166,
      `Request to External OIDC endpoint failed: the keys of '${issuer}' cannot be read.`,
    );
  }
  try {
    await jose.jwtVerify(assertion, jose.createLocalJWKSet(keys), timesOf(subscription));
    return undefined;
  } catch (error) {
    if (error instanceof jose.errors.JWTExpired) return outOfTime;
    return invalid(50013, "Assertion failed signature validation.");
  }
}

/**
 * Uses the clock without the subscription's offset. Other systems set the times in assertions, and their clocks do not have this
 * offset.
 */
function timesOf({ clock }: Subscription) {
  return { algorithms, currentDate: clock.outside.now(), clockTolerance: toleranceSeconds };
}

const outOfTime = invalid(700024, "Client assertion is not within its valid time range.");

function noMatch(code: number, what: string, value: string): Refusal {
  return invalid(
    code,
    `No matching federated identity record found for presented assertion ${what} '${value}'. Check your federated identity credential Subject, Audience and Issuer against the presented assertion.`,
  );
}

function invalid(code: number, text: string): Refusal {
  return refusal("invalid_client", code, text, 401);
}

function claimsOf(assertion: string): jose.JWTPayload | undefined {
  try {
    return jose.decodeJwt(assertion);
  } catch {
    return undefined;
  }
}

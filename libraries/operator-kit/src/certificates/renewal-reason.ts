import type { X509Certificate } from "node:crypto";
import { annotations, goTime } from "./certificate-annotations.ts";
import { commonNameOf, isSignedBy } from "./certificate-chain.ts";
import type { CertificateSubject, RotationPolicy } from "./certificate-rotation.ts";

type AnnotationValues = Readonly<Record<string, string>>;

/**
 * Annotations and certificate of a Secret. The certificate is undefined if the stored certificate is unreadable or does not match
 * its private key.
 */
export interface HeldKeyPair {
  readonly annotations: AnnotationValues;
  readonly certificate: X509Certificate | undefined;
}

interface RenewalRule extends RotationPolicy {
  readonly refreshMs: number;
}

/** Returns the reason to replace a signer. Undefined if no replacement is necessary. */
export function signerRenewalReason(held: HeldKeyPair, rule: RenewalRule, now: Date): string | undefined {
  const period = periodOf(held.annotations);
  if (typeof period === "string") return period;
  const spent = spentReason(held, period, rule, now);
  if (spent !== undefined || rule.onlyExpired) return spent;
  const refresh = new Date(period.notBefore.getTime() + rule.refreshMs);
  return now > refresh ? `past its refresh time ${goTime(refresh)}` : undefined;
}

export interface TargetSigner {
  readonly certificate: X509Certificate;
  readonly bundle: readonly X509Certificate[];
}

/** Returns the reason to replace a target certificate. Undefined if no replacement is necessary. */
export function targetRenewalReason(
  held: HeldKeyPair,
  subject: CertificateSubject,
  { certificate: signer, bundle }: TargetSigner,
  rule: RenewalRule,
  now: Date,
): string | undefined {
  const period = periodOf(held.annotations);
  if (typeof period === "string") return period;
  const spent = spentReason(held, period, rule, now);
  if (spent !== undefined || rule.onlyExpired) return spent;
  const refresh = new Date(period.notBefore.getTime() + rule.refreshMs);
  // Clients are expected to have loaded the signer's certificate by this time.
  const trusted = signer.validFromDate.getTime() + rule.refreshMs / 10;
  if (now > refresh && now.getTime() > trusted) return `past its refresh time ${goTime(refresh)}`;
  const issuer = held.annotations[annotations.issuer] ?? "";
  if (issuer === "") return "missing issuer name";
  const { certificate } = held;
  if (!certificate || !bundle.some((authority) => isSignedBy(certificate, authority)))
    return `issuer ${JSON.stringify(issuer)}, not in ca bundle:\n${bundle.map(describe).join("\n")}`;
  return subject.usage === "server" ? hostnamesReason(held.annotations, subject.hostnames) : undefined;
}

interface Period {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Returns the validity period in the annotations, or an error message if the annotations are invalid. */
function periodOf(values: AnnotationValues): Period | string {
  const notAfter = values[annotations.notAfter] ?? "";
  if (notAfter === "") return "missing notAfter";
  const end = parseTime(notAfter);
  if (!end) return `bad expiry: ${JSON.stringify(notAfter)}`;
  const notBefore = values[annotations.notBefore] ?? "";
  if (notBefore === "") return "missing notBefore";
  const start = parseTime(notBefore);
  return start ? { notBefore: start, notAfter: end } : `bad expiry: ${JSON.stringify(notBefore)}`;
}

function parseTime(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function spentReason(
  { certificate }: HeldKeyPair,
  { notBefore, notAfter }: Period,
  { onlyExpired }: RotationPolicy,
  now: Date,
): string | undefined {
  if (!certificate) return "malformed key pair";
  // The annotations may differ from the certificate, so the certificate's own expiry is also checked.
  if (now > notAfter || now > certificate.validToDate) return "already expired";
  if (onlyExpired) return undefined;
  const late = new Date(notAfter.getTime() - (notAfter.getTime() - notBefore.getTime()) / 5);
  return now > late ? `past refresh time (80% of validity): ${goTime(late)}` : undefined;
}

function hostnamesReason(values: AnnotationValues, hostnames: readonly string[]): string | undefined {
  const existing = new Set((values[annotations.hostnames] ?? "").split(","));
  const required = new Set(hostnames);
  const left = [...existing.difference(required)].toSorted().join(",");
  const missing = [...required.difference(existing)].toSorted().join(",");
  if (left === "" && missing === "") return undefined;
  return `${JSON.stringify(left)} are existing and not required, ${JSON.stringify(missing)} are required and not existing`;
}

function describe(certificate: X509Certificate): string {
  const { validFromDate, validToDate } = certificate;
  return `${JSON.stringify(commonNameOf(certificate))} from ${goTime(validFromDate)} to ${goTime(validToDate)}`;
}

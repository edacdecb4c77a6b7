import type { JsonObject, JsonValue } from "@keelson/base";
import { at, isJsonObject, members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { badParameter } from "./vault-error.ts";

/** Parsed certificate policy: the parameters for creation and renewal. */
export interface PolicyTerms {
  /** Issuer: `Self`, `Unknown` for an external CA, or the name of a registered issuer. */
  readonly issuer: string;
  /** X.500 name, for example `CN=api.example.com, O=Example`. */
  readonly subject: string;
  readonly dnsNames: readonly string[];
  readonly emails: readonly string[];
  /** Extended key usages as object identifiers (OID). */
  readonly extendedKeyUsage: readonly string[];
  readonly keyUsage: readonly string[];
  readonly validityMonths: number;
  readonly key: JsonObject;
  readonly reuseKey: boolean;
  readonly contentType: "application/x-pem-file" | "application/x-pkcs12";
  /** Number of days before expiry at which the certificate is renewed. */
  readonly renewDaysBefore: number | undefined;
}

const defaults = {
  key_props: { exportable: true, kty: "RSA", key_size: 2_048, reuse_key: false },
  secret_props: { contentType: "application/x-pkcs12" },
  x509_props: {
    ekus: ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"],
    key_usage: ["digitalSignature", "keyEncipherment"],
    validity_months: 12,
    basic_constraints: { ca: false },
  },
  issuer: { name: "Unknown" },
  attributes: { enabled: true },
} as const;

/** Merges a policy into the existing policy and adds defaults. @throws VaultError for invalid values */
export function completePolicy(given: JsonValue | undefined, before: JsonObject = {}): JsonObject {
  if (given !== undefined && given !== null && !isJsonObject(given)) {
    throw badParameter("Property policy is invalid.");
  }
  const policy = Object.fromEntries(
    Object.entries(defaults).map(([part, value]) => [
      part,
      { ...value, ...members(before[part]), ...members(members(given)[part]) },
    ]),
  );
  const lifetime = members(given).lifetime_actions ?? before.lifetime_actions;
  const complete: JsonObject = {
    ...policy,
    lifetime_actions: lifetime ?? [
      { trigger: { lifetime_percentage: 80 }, action: { action_type: "AutoRenew" } },
    ],
  };
  readPolicy(complete);
  return complete;
}

/** Parses a certificate policy. @throws VaultError */
export function readPolicy(policy: JsonObject): PolicyTerms {
  const subject = nonEmptyStringAt(policy, "x509_props", "subject") ?? "";
  const dnsNames = texts(policy, "x509_props", "sans", "dns_names");
  if (subject === "" && dnsNames.length === 0) {
    throw badParameter("Property policy has a certificate without subject and without alternative names.");
  }
  const validityMonths = at(policy, "x509_props", "validity_months");
  if (typeof validityMonths !== "number" || !Number.isInteger(validityMonths) || validityMonths < 1) {
    throw badParameter("Property validity_months of the policy is invalid.");
  }
  const contentType = nonEmptyStringAt(policy, "secret_props", "contentType");
  if (contentType !== "application/x-pem-file" && contentType !== "application/x-pkcs12") {
    throw badParameter(`The content type '${contentType ?? ""}' of the policy is invalid.`);
  }
  return {
    issuer: nonEmptyStringAt(policy, "issuer", "name") ?? "Unknown",
    subject,
    dnsNames,
    emails: texts(policy, "x509_props", "sans", "emails"),
    extendedKeyUsage: texts(policy, "x509_props", "ekus"),
    keyUsage: texts(policy, "x509_props", "key_usage"),
    validityMonths,
    key: members(policy.key_props),
    reuseKey: at(policy, "key_props", "reuse_key") === true,
    contentType,
    renewDaysBefore: renewDaysBefore(policy, validityMonths),
  };
}

function renewDaysBefore(policy: JsonObject, validityMonths: number): number | undefined {
  const action = objectsAt(policy, "lifetime_actions").find(
    (each) => nonEmptyStringAt(each, "action", "action_type") === "AutoRenew",
  );
  const days = at(action, "trigger", "days_before_expiry");
  const percentage = at(action, "trigger", "lifetime_percentage");
  if (typeof days === "number") return days;
  if (typeof percentage === "number") return Math.round((validityMonths * 30 * (100 - percentage)) / 100);
  return undefined;
}

function texts(value: JsonValue, ...path: readonly string[]): readonly string[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter((each) => typeof each === "string") : [];
}

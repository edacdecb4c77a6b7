import { createHash, randomBytes, randomUUID, X509Certificate } from "node:crypto";
import { type JsonObject, Secret } from "@keelson/base";
import { members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import {
  type CertificateCredential,
  type Credentials,
  digestOf,
  type PasswordCredential,
} from "../entra/credentials.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";
import { optionalText, optionalTime } from "./attributes.ts";
import type { EntityRow, Navigation } from "./entity-set.ts";
import { badRequest } from "./graph-error.ts";

const defaultYears = 2;

/**
 * Returns the actions `addPassword` and `removePassword` for entries with secrets. The actions call `put` in a transaction to
 * store the changed entry.
 */
export function passwordActions<Row extends EntityRow & Credentials>(
  put: (deps: EntraDeps, row: Row) => void,
): Readonly<Record<string, Navigation<Row>>> {
  const write = (deps: EntraDeps, row: Row, passwords: readonly PasswordCredential[]) =>
    deps.subscription.store.transaction(() => put(deps, { ...row, passwords }));
  return {
    addpassword(deps, row, { method, body }, rest) {
      if (method !== "POST" || rest.length > 0) return undefined;
      const { credential, secretText } = newPassword(deps, members(members(body).passwordCredential));
      write(deps, row, [...row.passwords, credential]);
      return { body: { ...renderPassword(credential), secretText } };
    },
    removepassword(deps, row, { method, body }, rest) {
      if (method !== "POST" || rest.length > 0) return undefined;
      const keyId = nonEmptyStringAt(body, "keyId");
      const others = row.passwords.filter((each) => each.keyId !== keyId);
      if (others.length === row.passwords.length) {
        throw badRequest(`No password credential found with keyId '${keyId ?? ""}'.`);
      }
      write(deps, row, others);
      return { done: true };
    },
  };
}

/** Generates a client secret. The secret is returned only in the response to this request. */
function newPassword({ clock }: EntraDeps, wanted: JsonObject) {
  const startsAt = optionalTime(wanted, "startDateTime") ?? clock.now().toISOString();
  const end = new Date(startsAt);
  end.setUTCFullYear(end.getUTCFullYear() + defaultYears);
  const endsAt = optionalTime(wanted, "endDateTime") ?? end.toISOString();
  if (endsAt <= startsAt)
    throw badRequest("The 'endDateTime' of a credential must be after its 'startDateTime'.");
  // The secret must not start with a hyphen, because command lines would parse it as an option.
  const secretText = randomBytes(30).toString("base64url").replace(/^-/, "_");
  const displayName = optionalText(wanted, "displayName");
  const credential: PasswordCredential = {
    keyId: randomUUID(),
    digest: digestOf(new Secret(secretText)),
    hint: secretText.slice(0, 3),
    startsAt,
    endsAt,
    ...(displayName === undefined ? {} : { displayName }),
  };
  return { credential, secretText };
}

/** Returns the certificates in the `keyCredentials` of a body. If a certificate already exists, clients may omit its key. */
export function certificatesIn(
  body: JsonObject,
  existing: readonly CertificateCredential[] = [],
): readonly CertificateCredential[] {
  if (body.keyCredentials === undefined || body.keyCredentials === null) return existing;
  return objectsAt(body, "keyCredentials").map((each) => {
    const keyId = nonEmptyStringAt(each, "keyId") ?? randomUUID();
    const key = nonEmptyStringAt(each, "key");
    if (key !== undefined) return newCertificate(each, keyId, key);
    const kept = existing.find((one) => one.keyId === keyId);
    if (!kept) throw badRequest(`The key credential '${keyId}' needs a 'key'.`);
    return kept;
  });
}

function newCertificate(wanted: JsonObject, keyId: string, key: string): CertificateCredential {
  const certificate = parseCertificate(key);
  const [from, until] = [certificate.validFromDate, certificate.validToDate];
  const displayName = optionalText(wanted, "displayName");
  const endsAt = optionalTime(wanted, "endDateTime") ?? until.toISOString();
  if (endsAt > until.toISOString()) {
    throw badRequest("Key credential end date is invalid: it is after the certificate's own.");
  }
  return {
    keyId,
    certificate: certificate.raw.toString("base64"),
    startsAt: optionalTime(wanted, "startDateTime") ?? from.toISOString(),
    endsAt,
    ...(displayName === undefined ? {} : { displayName }),
  };
}

/** Parses a certificate. Clients send DER or PEM, encoded in base64. */
function parseCertificate(key: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(key, "base64"));
  } catch {
    throw badRequest("The 'key' of a key credential must be an X.509 certificate in base64.");
  }
}

export function renderCredentials({ passwords, certificates = [] }: Credentials): JsonObject {
  return {
    passwordCredentials: passwords.map(renderPassword),
    keyCredentials: certificates.map(renderCertificate),
  };
}

function renderPassword({ keyId, displayName, hint, startsAt, endsAt }: PasswordCredential): JsonObject {
  return {
    customKeyIdentifier: null,
    displayName: displayName ?? null,
    endDateTime: endsAt ?? null,
    hint: hint ?? null,
    keyId,
    secretText: null,
    startDateTime: startsAt ?? null,
  };
}

function renderCertificate({ keyId, certificate, displayName, startsAt, endsAt }: CertificateCredential) {
  const raw = Buffer.from(certificate, "base64");
  return {
    customKeyIdentifier: createHash("sha1").update(raw).digest("hex").toUpperCase(),
    displayName: displayName ?? null,
    endDateTime: endsAt,
    key: null,
    keyId,
    startDateTime: startsAt,
    type: "AsymmetricX509Cert",
    usage: "Verify",
  };
}

import type { JsonObject } from "@keelson/base";
import { members, nonEmptyStringAt } from "../base/json.ts";
import { secretValue } from "./certificate-files.ts";
import { issuerExists } from "./certificate-issuers.ts";
import { type CertificateOperation, CertificateOperations } from "./certificate-operations.ts";
import { readPolicy } from "./certificate-policy.ts";
import { certificateRequest, leafOf, selfSign, signRequest } from "./certificate-signing.ts";
import { generateKey } from "./key-material.ts";
import { ownAuthority } from "./own-authority.ts";
import type { Vault } from "./vault.ts";
import { badParameter } from "./vault-error.ts";
import { newVersionId } from "./vault-objects.ts";
import { type CertificateContent, latest, type VaultVersion, type VersionChange } from "./vault-row.ts";

const dayMs = 86_400_000;

/**
 * Starts the creation of a certificate. Creates the key and has the certificate signed. The next request for the certificate
 * completes the creation.
 * @throws VaultError
 */
export async function beginCertificate(
  vault: Vault,
  name: string,
  policy: JsonObject,
  change: VersionChange,
): Promise<CertificateOperation> {
  const terms = readPolicy(policy);
  if (!issuerExists(vault, terms.issuer))
    throw badParameter(`The issuer '${terms.issuer}' is not one of this vault.`);
  vault.certificates.checkName(name);
  const known = terms.reuseKey ? vault.keys.find(name) : undefined;
  const privateKeyPem = known
    ? latest(known).privateKeyPem
    : (await generateKey(certificateKey(terms.key))).privateKeyPem;
  const request = await certificateRequest(privateKeyPem, terms);
  const now = vault.clock.now();
  const chainPem =
    terms.issuer === "Unknown"
      ? undefined
      : terms.issuer === "Self"
        ? await selfSign(request, privateKeyPem, terms, now)
        : await signRequest(request, terms, vault.givenAuthority ?? (await ownAuthority(vault.store)), now);
  const csr = request.replace(/-----[^-]+-----|\s/g, "");
  return vault.store.transaction(() =>
    new CertificateOperations(vault.name, vault.store).begin(name, {
      policy,
      change,
      privateKeyPem,
      csr,
      chainPem,
    }),
  );
}

/** Renews the certificate `name` if it is close to its expiry. Does nothing if `name` is undefined. */
export async function catchUp(vault: Vault, name: string | undefined): Promise<void> {
  const operations = new CertificateOperations(vault.name, vault.store);
  if (name !== undefined && isDue(vault, operations, name)) {
    const certificate = vault.certificates.get(name);
    const { tags } = latest(certificate);
    const change = { attributes: {}, ...(tags ? { tags } : {}) };
    await beginCertificate(vault, certificate.name, operations.policyOf(name) ?? {}, change);
    finish(vault, operations, certificate.name);
  }
}

/** Completes all operations with a signed certificate. Stores each signed certificate as the newest version. */
export function finishSigned(vault: Vault): void {
  const operations = new CertificateOperations(vault.name, vault.store);
  for (const name of operations.ready()) finish(vault, operations, name);
}

/**
 * Adds a certificate version with its key and its secret. All three have the same version ID. The certificate chain must be
 * present.
 */
export function addCertificate(
  vault: Vault,
  name: string,
  file: { readonly chainPem: string; readonly privateKeyPem: string },
  policy: JsonObject,
  change: VersionChange,
): VaultVersion<CertificateContent> {
  const { contentType } = readPolicy(policy);
  const id = newVersionId();
  const { notBefore, notAfter } = leafOf(file.chainPem);
  const dated = { ...change, attributes: { ...change.attributes, nbf: notBefore, exp: notAfter } };
  const keyOps = ["encrypt", "decrypt", "sign", "verify", "wrapKey", "unwrapKey"];
  const kty = nonEmptyStringAt(policy, "key_props", "kty") ?? "RSA";
  const kid = `https://${vault.name}.vault.azure.net/keys/${name}/${id}`;
  return vault.store.transaction(() => {
    vault.keys.add(name, { kty, keyOps, privateKeyPem: file.privateKeyPem, managed: true }, dated, id);
    vault.secrets.add(name, { value: secretValue(file, contentType), contentType, kid }, dated, id);
    return vault.certificates.add(name, { chainPem: file.chainPem, contentType }, dated, id);
  });
}

function finish(vault: Vault, operations: CertificateOperations, name: string): void {
  const operation = operations.find(name);
  if (operation?.status !== "inProgress" || operation.chainPem === undefined) return;
  const { chainPem, privateKeyPem, policy, change } = operation;
  vault.store.transaction(() => {
    addCertificate(vault, name, { chainPem, privateKeyPem }, policy, change);
    operations.set(name, { ...operation, status: "completed" });
  });
}

function isDue(vault: Vault, operations: CertificateOperations, name: string): boolean {
  const row = vault.certificates.find(name);
  const policy = operations.policyOf(name);
  if (!row || row.deleted || !policy || operations.find(name)?.status === "inProgress") return false;
  const { renewDaysBefore, issuer } = readPolicy(policy);
  const { exp } = latest(row).attributes;
  if (renewDaysBefore === undefined || issuer === "Unknown" || exp === undefined) return false;
  return vault.clock.now().getTime() >= exp * 1_000 - renewDaysBefore * dayMs;
}

function certificateKey(wanted: JsonObject): JsonObject {
  const curve = nonEmptyStringAt(wanted, "crv") ?? "P-256";
  if (nonEmptyStringAt(wanted, "kty")?.startsWith("EC") && curve !== "P-256") {
    throw badParameter(`Certificates with keys on the curve ${curve} are not made here.`);
  }
  return members(wanted);
}

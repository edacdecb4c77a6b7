import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { messageOf } from "@keelson/base";
import { firstPartyCertificateFiles, readCertificates, readsField, type ServiceConfig } from "@keelson/env";
import { shellWord } from "../output/shell-word.ts";
import { daysUntil, type Finding, failed, ok, soonDays, warning } from "./finding.ts";
import type { Installation } from "./installation.ts";

/** PEM file with one or more certificates. All certificates in the file are checked. */
interface CertificateFile {
  readonly name: string;
  readonly path: string;
  readonly keyPath?: string;
}

/** Checks that each configured certificate is readable, matches its key, and is valid for at least 30 more days. */
export function checkCertificates(installation: Installation): readonly Finding[] {
  const { config, role } = installation;
  const isRead = (field: string) => role === undefined || readsField(role, field);
  const { tls, azure, certificateIssuer, callers, portal } = config;
  const files: CertificateFile[] = [];
  if (tls && isRead("tls")) files.push({ name: "tls", path: tls.certificateFile, keyPath: tls.keyFile });
  if (azure.caFile !== undefined) files.push({ name: "azure.caFile", path: azure.caFile });
  if (certificateIssuer.kind === "local") {
    const { caFile, caKeyFile } = certificateIssuer;
    files.push({ name: "certificateIssuer", path: caFile, keyPath: caKeyFile });
  }
  if (callers?.kind === "verified" && isRead("callers")) {
    for (const name of ["arm", "admin"] as const)
      files.push(...callerFiles(`callers.${name}`, callers[name]));
  }
  // The resource provider reads only the certificate, because its kubeconfigs trust it.
  if (role === "rp" && portal) files.push({ name: "portal", path: portal.certificateFile });
  else if (portal?.keyFile !== undefined && isRead("portal"))
    files.push({ name: "portal", path: portal.certificateFile, keyPath: portal.keyFile });
  const ofApplication = firstPartyCertificateFiles(config.firstParty);
  if (ofApplication) {
    const { certificateFile, keyFile } = ofApplication;
    files.push({ name: "firstParty", path: certificateFile, keyPath: keyFile });
  }
  if (portal?.signIn && role !== "rp" && isRead("portal")) {
    const { certificateFile, keyFile } = portal.signIn;
    files.push({ name: "portal.signIn", path: certificateFile, keyPath: keyFile });
  }
  return files.map((file) => checkFile(file, installation));
}

function callerFiles(name: string, { certificates }: CallerConfig): readonly CertificateFile[] {
  if (certificates?.kind === "listed") return [{ name, path: certificates.file }];
  if (certificates?.kind === "named") return [{ name, path: certificates.authoritiesFile }];
  return [];
}

type CallerConfig = Extract<ServiceConfig["callers"], { readonly kind: "verified" }>["arm"];

function checkFile(
  { name, path, keyPath }: CertificateFile,
  { clock, embedded, selector }: Installation,
): Finding {
  const check = `certificate ${name}`;
  const replace = embedded
    ? `start again: "keelson up" renews certificates that end within ${soonDays} days`
    : `replace ${path} with a new certificate${keyPath === undefined ? "" : " and its key"}`;
  const inspect = `openssl x509 -in ${shellWord(path)} -noout -subject -dates`;
  const command = embedded ? `keelson up ${selector}` : inspect;
  let certificate: X509Certificate;
  try {
    const [first, ...others] = readCertificates(name, path).map((pem) => new X509Certificate(pem));
    if (!first) return failed(check, `${path} holds no certificate`, replace, command);
    // The private key belongs to the first certificate. The reported expiry is the earliest one in the file.
    certificate = others.reduce(
      (soonest, each) => (each.validToDate < soonest.validToDate ? each : soonest),
      first,
    );
    if (keyPath !== undefined && !first.checkPrivateKey(createPrivateKey(readFileSync(keyPath)))) {
      return failed(check, `${keyPath} is not the key of ${path}`, replace, command);
    }
  } catch (error) {
    return failed(check, `${path} cannot be used: ${messageOf(error)}`, replace, command);
  }
  const now = clock.now().getTime();
  const days = daysUntil(certificate.validToDate, clock);
  const until = certificate.validToDate.toISOString().slice(0, 10);
  if (certificate.validFromDate.getTime() > now) {
    return failed(
      check,
      `${path} is valid only from ${certificate.validFromDate.toISOString()} on`,
      "set the machine's clock, or use another certificate",
      inspect,
    );
  }
  if (days < 0) return failed(check, `${path} ended on ${until}`, replace, command);
  if (days < soonDays) return warning(check, `${path} ends in ${days} days, on ${until}`, replace, command);
  return ok(check, `valid until ${until}`);
}

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Clock, messageOf } from "@keelson/base";
import { type Finding, failed, ok, warning } from "./finding.ts";
import type { Installation } from "./installation.ts";

const dayMs = 86_400_000;
const soonDays = 30;

interface CertificateFile {
  readonly name: string;
  readonly path: string;
  readonly keyPath?: string;
}

/** Certificates of the configuration: readable, with their keys, valid now and for a month. */
export function checkCertificates({ config, clock, embedded }: Installation): readonly Finding[] {
  const { tls, azure, certificateIssuer } = config;
  const files: CertificateFile[] = [{ name: "tls", path: tls.certificateFile, keyPath: tls.keyFile }];
  if (azure.caFile !== undefined) files.push({ name: "azure.caFile", path: azure.caFile });
  if (certificateIssuer.kind === "local") {
    const { caFile, caKeyFile } = certificateIssuer;
    files.push({ name: "certificateIssuer", path: caFile, keyPath: caKeyFile });
  }
  return files.map((file) => checkFile(file, clock, embedded));
}

function checkFile({ name, path, keyPath }: CertificateFile, clock: Clock, embedded: boolean): Finding {
  const check = `certificate ${name}`;
  const replace = embedded
    ? `start again: "keelson up" renews certificates that end within ${soonDays} days`
    : `replace ${path} with a new certificate${keyPath === undefined ? "" : " and its key"}`;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(path));
    if (keyPath !== undefined && !certificate.checkPrivateKey(createPrivateKey(readFileSync(keyPath)))) {
      return failed(check, `${keyPath} is not the key of ${path}`, replace);
    }
  } catch (error) {
    return failed(check, `${path} cannot be used: ${messageOf(error)}`, replace);
  }
  const now = clock.now().getTime();
  const days = Math.floor((certificate.validToDate.getTime() - now) / dayMs);
  const until = certificate.validToDate.toISOString().slice(0, 10);
  if (certificate.validFromDate.getTime() > now) {
    return failed(
      check,
      `${path} is valid only from ${certificate.validFromDate.toISOString()} on`,
      "set the machine's clock, or use another certificate",
    );
  }
  if (days < 0) return failed(check, `${path} ended on ${until}`, replace);
  if (days < soonDays) return warning(check, `${path} ends in ${days} days, on ${until}`, replace);
  return ok(check, `valid until ${until}`);
}

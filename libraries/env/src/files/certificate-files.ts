import { createPrivateKey, X509Certificate } from "node:crypto";
import { type Clock, type KeyPair, type Logger, messageOf } from "@keelson/base";
import { configErrors } from "./config-errors.ts";
import { readConfigFile } from "./config-files.ts";

export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Polling interval in ms. A renewed certificate is served within a minute, without a restart. */
const pollEveryMs = 60_000;

/** Reads a certificate and its key. @throws InvalidConfiguration if they are invalid or do not match */
export async function readCertificate({ certificateFile, keyFile }: CertificateFiles): Promise<KeyPair> {
  const certificatePem = readConfigFile("tls.certificateFile", certificateFile);
  const privateKeyPem = readConfigFile("tls.keyFile", keyFile);
  try {
    if (new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(privateKeyPem))) {
      return { certificatePem, privateKeyPem };
    }
  } catch (cause) {
    throw configErrors.InvalidConfiguration(
      `${certificateFile} and ${keyFile} are not a certificate and a private key in PEM.`,
      { cause },
    );
  }
  throw configErrors.InvalidConfiguration(`${keyFile} is not the key of ${certificateFile}.`);
}

/** Watches the files until the signal aborts. Reports each new certificate with its key. Invalid files are skipped. */
export async function followCertificate(
  files: CertificateFiles,
  current: KeyPair,
  deps: { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
  onChange: (pair: KeyPair) => void,
): Promise<void> {
  const { clock, logger, signal } = deps;
  let served = current;
  for (;;) {
    await clock.sleep(pollEveryMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const read = await readCertificate(files);
      if (read.certificatePem === served.certificatePem) continue;
      onChange(read);
      served = read;
      const { validTo } = new X509Certificate(read.certificatePem);
      logger.info({ file: files.certificateFile, validTo }, "serving a renewed certificate");
    } catch (error) {
      logger.warn({ file: files.certificateFile, error: messageOf(error) }, "renewed certificate not read");
    }
  }
}

import { createPrivateKey, X509Certificate } from "node:crypto";
import { type Clock, type KeyPair, type Logger, messageOf, poll } from "@keelson/base";
import { configErrors } from "./config-errors.ts";
import { readConfigFile } from "./config-files.ts";

export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Polling interval in ms. A renewed certificate is served within a minute, without a restart. */
const everyMs = 60_000;

/** Reads a certificate and its key. @throws InvalidConfiguration if they are invalid or do not match */
export async function readCertificate(files: CertificateFiles): Promise<KeyPair> {
  return readKeyPair(files);
}

/** Reads a certificate and its key synchronously. @throws InvalidConfiguration as `readCertificate` */
export function readKeyPair({ certificateFile, keyFile }: CertificateFiles, field = "tls"): KeyPair {
  const certificatePem = readConfigFile(`${field}.certificateFile`, certificateFile);
  const privateKeyPem = readConfigFile(`${field}.keyFile`, keyFile);
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
  const file = files.certificateFile;
  const onError = (error: unknown) =>
    logger.warn({ file, error: messageOf(error) }, "renewed certificate not read");
  await poll({ everyMs, clock, signal, onError }, async () => {
    const read = await readCertificate(files);
    if (read.certificatePem === served.certificatePem) return;
    onChange(read);
    served = read;
    const { validTo } = new X509Certificate(read.certificatePem);
    logger.info({ file, validTo }, "serving a renewed certificate");
  });
}

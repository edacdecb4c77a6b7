import type { AzurePrincipal } from "@keelson/azure";
import { type Clock, isPlainObject, Secret, type SecretSource, systemClock } from "@keelson/base";
import type { Static } from "typebox";
import { type CertificateFiles, readKeyPair } from "../files/certificate-files.ts";
import { configErrors } from "../files/config-errors.ts";
import type { firstPartySchema } from "./azure-config.ts";

export type FirstPartyConfig = Static<typeof firstPartySchema>;

/** Minimum time in ms between two reads of the certificate files. */
const rereadMs = 10_000;

/** Returns the faults of a configured application. An application needs either a secret, or a certificate with its key. */
export function firstPartyProblems(firstParty: unknown): readonly string[] {
  if (!isPlainObject(firstParty)) return [];
  const { clientSecret, certificateFile, keyFile } = firstParty;
  const files = [certificateFile, keyFile].filter((each) => each !== undefined).length;
  if (clientSecret === undefined ? files === 2 : files === 0) return [];
  return ["/firstParty needs clientSecret, or certificateFile and keyFile, and not both"];
}

/** Returns the files of the application's certificate. Returns `undefined` for an application with a secret. */
export function firstPartyCertificateFiles(firstParty: FirstPartyConfig): CertificateFiles | undefined {
  const { certificateFile, keyFile } = firstParty;
  return certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile };
}

/**
 * Returns the principal of the service's application. The principal signs in with the current secret in `now`, or with the
 * current certificate in the files.
 * @throws InvalidConfiguration at the first use of the principal, if its credential cannot be read
 */
export function firstPartyPrincipal(
  tenantId: string,
  firstParty: FirstPartyConfig,
  now: () => FirstPartyConfig,
  clock: Pick<Clock, "monotonicMs"> = systemClock,
): AzurePrincipal {
  const { clientId } = firstParty;
  const files = firstPartyCertificateFiles(firstParty);
  if (files) return { tenantId, clientId, certificate: new Secret(new CertificateSource(files, clock)) };
  const secret = () => {
    const { clientSecret = firstParty.clientSecret } = now();
    if (clientSecret !== undefined) return clientSecret;
    throw configErrors.InvalidConfiguration("firstParty.clientSecret is missing");
  };
  return { tenantId, clientId, clientSecret: new Secret({ open: secret }) };
}

/** Private key and certificate in files. They are read again while the process runs. */
class CertificateSource implements SecretSource {
  readonly #files: CertificateFiles;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #pem: string | undefined;
  #readAtMs = 0;

  constructor(files: CertificateFiles, clock: Pick<Clock, "monotonicMs">) {
    this.#files = files;
    this.#clock = clock;
  }

  /**
   * Returns the current key and certificate. If the files are invalid, for example half replaced, returns the previous key and
   * certificate.
   */
  open(): string {
    const nowMs = this.#clock.monotonicMs();
    if (this.#pem !== undefined && nowMs - this.#readAtMs < rereadMs) return this.#pem;
    this.#readAtMs = nowMs;
    try {
      const { privateKeyPem, certificatePem } = readKeyPair(this.#files, "firstParty");
      this.#pem = `${privateKeyPem}\n${certificatePem}`;
    } catch (error) {
      // The error is not logged here. The process logs it when it reads the files for the certificate's metric.
      if (this.#pem === undefined) throw error;
    }
    return this.#pem;
  }
}

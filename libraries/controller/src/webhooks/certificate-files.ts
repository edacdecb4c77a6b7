import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Clock, type Counter, type Logger, type Metrics, messageOf } from "@keelson/base";

export interface CertificateFilesOptions {
  /** Path of the certificate in PEM, for example `tls.crt` of a mounted Secret. */
  readonly certificateFile: string;
  /** Path of the private key in PEM, for example `tls.key`. */
  readonly keyFile: string;
  /** Default: `readFile`. */
  readonly read?: ((path: string) => Promise<Buffer>) | undefined;
  /**
   * Read interval in ms. Default: 10 s. The kubelet updates a mounted Secret through a symbolic link. File watches often miss
   * this update.
   */
  readonly everyMs?: number | undefined;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Server certificate and key, read from files that other processes replace. If the files do not match, the last matching
 * certificate and key stay in use.
 */
export class CertificateFiles {
  readonly #options: CertificateFilesOptions;
  readonly #reads: Counter;
  readonly #failures: Counter;
  #current: ServerCertificate | undefined;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
    this.#reads = options.metrics.counter({
      name: "certwatcher_read_certificate_total",
      help: "Readings of the certificate",
    });
    this.#failures = options.metrics.counter({
      name: "certwatcher_read_certificate_errors_total",
      help: "Readings of the certificate that failed",
    });
  }

  /**
   * Reads the files.
   * @throws Error if a file cannot be read, or the certificate and the key do not match
   */
  async read(): Promise<ServerCertificate> {
    this.#reads.inc();
    try {
      const { certificateFile, keyFile, read = readFile } = this.#options;
      const contents = await Promise.all([read(certificateFile), read(keyFile)]);
      const [cert = "", key = ""] = contents.map((content) => content.toString());
      // TLS would accept an empty or incomplete certificate file and then serve without a certificate.
      if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
        throw new Error(`${keyFile} is not the key of ${certificateFile}`);
      this.#current = { cert, key };
      return this.#current;
    } catch (error) {
      this.#failures.inc();
      throw error;
    }
  }

  /**
   * Calls `changed` for each new certificate and key until the signal aborts. If a new certificate or key is invalid, the
   * previous ones remain in use.
   */
  async follow(changed: (certificate: ServerCertificate) => void, signal: AbortSignal): Promise<void> {
    const { certificateFile, clock, everyMs = 10_000, logger } = this.#options;
    let failure: string | undefined;
    while (!signal.aborted) {
      await clock.sleep(everyMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const before = this.#current;
      try {
        const now = await this.read();
        failure = undefined;
        if (now.cert === before?.cert && now.key === before.key) continue;
        changed(now);
        logger.info({ certificateFile }, "the server's certificate was replaced");
      } catch (error) {
        // The same failure is logged only once, not at each read.
        if (messageOf(error) === failure) continue;
        failure = messageOf(error);
        logger.error({ certificateFile, error: failure }, "the server's certificate cannot be used");
      }
    }
  }
}

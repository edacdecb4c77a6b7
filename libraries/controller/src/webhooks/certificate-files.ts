import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Clock, type Counter, type Logger, type Metrics, messageOf } from "@keelson/base";

export interface CertificateFilesOptions {
  /** PEM, for example `tls.crt` of a mounted Secret. */
  readonly certificateFile: string;
  /** PEM, for example `tls.key`. */
  readonly keyFile: string;
  /** Default: `readFile`. */
  readonly read?: (path: string) => Promise<Buffer>;
  /**
   * Read interval. Default: 10 s. The kubelet updates mounted Secrets by a symbolic link, which file watches
   * often miss.
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

/** Certificate and key of a server in files that other processes replace. Holds the last consistent pair. */
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

  /** Reads the files. @throws Error when they cannot be read, or are no certificate with its key */
  async read(): Promise<ServerCertificate> {
    this.#reads.inc();
    try {
      const { certificateFile, keyFile, read = readFile } = this.#options;
      const contents = await Promise.all([read(certificateFile), read(keyFile)]);
      const [cert = "", key = ""] = contents.map((content) => content.toString());
      // TLS treats an empty, partly written file as a missing certificate.
      if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
        throw new Error(`${keyFile} is not the key of ${certificateFile}`);
      this.#current = { cert, key };
      return this.#current;
    } catch (error) {
      this.#failures.inc();
      throw error;
    }
  }

  /** Calls `changed` for each new pair until the signal aborts. An invalid pair keeps the previous one. */
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
        // The same at each reading, for as long as it lasts.
        if (messageOf(error) === failure) continue;
        failure = messageOf(error);
        logger.error({ certificateFile, error: failure }, "the server's certificate cannot be used");
      }
    }
  }
}

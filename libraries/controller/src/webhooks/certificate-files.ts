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
  /** Between readings; 10 s when absent. The kubelet changes mounted Secrets by a symbolic link, which few watches survive. */
  readonly everyMs?: number | undefined;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A server's certificate and key in files that others replace: the pair that was last read whole and fits together. */
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
      // TLS itself takes an empty file, as one that is just being written, for no certificate at all.
      if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
        throw new Error(`${keyFile} is not the key of ${certificateFile}`);
      this.#current = { cert, key };
      return this.#current;
    } catch (error) {
      this.#failures.inc();
      throw error;
    }
  }

  /** Calls `changed` for each new pair until the signal aborts. One that cannot be used leaves the last in place. */
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

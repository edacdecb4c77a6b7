import { createHash, timingSafeEqual, X509Certificate } from "node:crypto";
import {
  type Clock,
  isPlainObject,
  type JsonValue,
  type Logger,
  messageOf,
  valueAt,
  withTimeout,
} from "@keelson/base";
import type { AuthorizationRequest } from "../callers/authorization-request.ts";
import type { CallerRule } from "../callers/caller-rule.ts";
import { errors } from "../callers/errors.ts";
import { fetchJson } from "../callers/fetch-json.ts";

/** The refresh and expiry intervals are those of Azure/ARO-RP pkg/util/clientauthorizer/arm.go. */
const refreshMs = 3_600_000;
const retryMs = 60_000;
const trustedForMs = 24 * 3_600_000;
const fetchLimitMs = 30_000;

export interface PublishedCertificatesOptions {
  /** URL, for example `https://admin.management.azure.com/metadata/authentication?api-version=2015-01-01`. */
  readonly metadataUrl: string;
  /** CA certificates (PEM) that verify the server of `metadataUrl`. Default: the public CA certificates. */
  readonly caPem?: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Entry {
  readonly digest: Buffer;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/**
 * Admits callers with a currently valid certificate from the list that Azure Resource Manager publishes. Certificates are
 * compared byte by byte. The list is read every hour. All callers are rejected if the last successful read is 24 hours old, or if
 * the list contains no valid certificate.
 */
export class PublishedCertificates implements CallerRule {
  readonly #options: PublishedCertificatesOptions;
  #entries: readonly Entry[] = [];
  #readAtMs = Number.NEGATIVE_INFINITY;
  #digests = new WeakMap<Uint8Array, Buffer>();

  constructor(options: PublishedCertificatesOptions) {
    this.#options = options;
  }

  admits({ peerCertificates: [own] }: Pick<AuthorizationRequest, "peerCertificates">): boolean {
    if (!own) return false;
    const digest = this.#digestOf(own);
    let admitted = false;
    for (const entry of this.#validEntries()) {
      if (timingSafeEqual(entry.digest, digest)) admitted = true;
    }
    return admitted;
  }

  ready(): boolean {
    return this.#validEntries().length > 0;
  }

  /** Reads the list periodically until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    const { clock, logger, metadataUrl } = this.#options;
    while (!signal.aborted) {
      const read = await this.refresh(signal).then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) {
            logger.warn(
              { url: metadataUrl, error: messageOf(error) },
              "list of callers' certificates not read",
            );
          }
          return false;
        },
      );
      await clock.sleep(read ? refreshMs : retryMs, signal).catch(() => undefined);
    }
  }

  /** Reads the list once. After a failure, the previous list stays in use until it expires. @throws DocumentUnavailable */
  async refresh(signal: AbortSignal): Promise<void> {
    const { metadataUrl, caPem, clock } = this.#options;
    const limit = withTimeout(signal, fetchLimitMs);
    const entries = parseEntries(await fetchJson(metadataUrl, caPem, limit));
    const now = clock.now().getTime();
    if (!entries.some((entry) => isValidAt(entry, now))) {
      throw errors.DocumentUnavailable(`${metadataUrl} lists no certificate that is valid now.`);
    }
    this.#entries = entries;
    this.#readAtMs = now;
  }

  #validEntries(): readonly Entry[] {
    const now = this.#options.clock.now().getTime();
    if (now - this.#readAtMs >= trustedForMs) return [];
    return this.#entries.filter((entry) => isValidAt(entry, now));
  }

  /** Caches the digest per connection. All requests of a connection share the array. */
  #digestOf(der: Uint8Array): Buffer {
    const known = this.#digests.get(der);
    if (known) return known;
    const digest = digestOf(der);
    this.#digests.set(der, digest);
    return digest;
  }
}

function isValidAt({ notBeforeMs, notAfterMs }: Entry, nowMs: number): boolean {
  return nowMs >= notBeforeMs && nowMs < notAfterMs;
}

/** Parses `clientCertificates[]` of the document. Invalid entries are dropped. */
function parseEntries(document: JsonValue): readonly Entry[] {
  const list = valueAt(document, "clientCertificates");
  if (!Array.isArray(list)) return [];
  return list.flatMap((each): readonly Entry[] => {
    if (!isPlainObject(each)) return [];
    const { certificate, notBefore, notAfter } = each;
    if (typeof certificate !== "string" || typeof notBefore !== "string" || typeof notAfter !== "string")
      return [];
    const [notBeforeMs, notAfterMs] = [Date.parse(notBefore), Date.parse(notAfter)];
    const der = derOf(certificate);
    if (!der || Number.isNaN(notBeforeMs) || Number.isNaN(notAfterMs)) return [];
    return [{ digest: digestOf(der), notBeforeMs, notAfterMs }];
  });
}

/** Decodes a base64 certificate. Returns undefined for an invalid certificate. */
function derOf(base64: string): Uint8Array | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, "base64")).raw;
  } catch {
    return undefined;
  }
}

function digestOf(der: Uint8Array): Buffer {
  return createHash("sha256").update(der).digest();
}

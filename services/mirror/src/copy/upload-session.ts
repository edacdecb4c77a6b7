import { errors } from "../registry/errors.ts";
import { type HttpResponse, headerOf } from "../registry/http-connection.ts";
import { RegistryError } from "../registry/registry-error.ts";
import type { Repository } from "../registry/repository.ts";

/** Result of starting an upload: the registry mounted the blob from a different repository, or an upload session started. */
export type UploadStart =
  | { readonly kind: "mounted" }
  | { readonly kind: "session"; readonly session: UploadSession };

/** Upload session of a registry. Each method makes one attempt. */
export class UploadSession {
  readonly #repository: Repository;
  #location: string;

  constructor(repository: Repository, location: string) {
    this.#repository = repository;
    this.#location = location;
  }

  get location(): string {
    return this.#location;
  }

  /** Starts an upload. If `from` is given, the registry is asked to mount the blob from that repository. */
  static async start(
    repository: Repository,
    digest: string,
    from: string | undefined,
    signal: AbortSignal,
  ): Promise<UploadStart> {
    const mount = from === undefined ? "" : `?${new URLSearchParams({ mount: digest, from })}`;
    const url = `/v2/${repository.name}/blobs/uploads/${mount}`;
    const headers = { "content-length": "0" };
    const response = await repository.send(
      { method: "POST", url, headers, accept: [201, 202], signal },
      from,
    );
    await response.body.dump();
    if (response.statusCode === 201) return { kind: "mounted" };
    return { kind: "session", session: new UploadSession(repository, locationOf(response)) };
  }

  /** Returns the number of bytes that the registry has received. Returns undefined if the upload is unknown. */
  async size(signal: AbortSignal): Promise<number | undefined> {
    try {
      const url = this.#location;
      const response = await this.#repository.send({ method: "GET", url, accept: [204, 202], signal });
      await response.body.dump();
      this.#moveTo(response);
      return sizeIn(headerOf(response, "range"));
    } catch (error) {
      if (error instanceof RegistryError && [400, 404, 405, 416].includes(error.status)) return undefined;
      throw error;
    }
  }

  async append(content: Uint8Array, start: number, signal: AbortSignal): Promise<void> {
    const response = await this.#send({
      method: "PATCH",
      url: this.#location,
      headers: {
        "content-type": "application/octet-stream",
        "content-range": `${start}-${start + content.length - 1}`,
        "content-length": String(content.length),
      },
      body: content,
      accept: [202, 201, 204],
      signal,
    });
    await response.body.dump();
    this.#moveTo(response);
  }

  /** Completes the upload with the remaining bytes, if any. The registry also verifies the digest. */
  async finish(digest: string, last: Uint8Array, signal: AbortSignal): Promise<void> {
    const separator = this.#location.includes("?") ? "&" : "?";
    const response = await this.#send({
      method: "PUT",
      url: `${this.#location}${separator}${new URLSearchParams({ digest })}`,
      headers: { "content-type": "application/octet-stream", "content-length": String(last.length) },
      body: last.length > 0 ? last : undefined,
      accept: [201, 204],
      signal,
    });
    await response.body.dump();
  }

  /** Cancels the upload. If a registry cannot cancel uploads, the upload expires later. */
  async cancel(signal: AbortSignal): Promise<void> {
    try {
      const url = this.#location;
      const response = await this.#repository.send({
        method: "DELETE",
        url,
        accept: [204, 202, 200],
        signal,
      });
      await response.body.dump();
    } catch {
      signal.throwIfAborted();
    }
  }

  /**
   * Sends a request of the upload.
   * @throws UploadLost if the registry does not know the upload or rejects the offset. The caller must then query the offset
   * again
   */
  async #send(request: Parameters<Repository["send"]>[0]): Promise<HttpResponse> {
    try {
      return await this.#repository.send(request);
    } catch (cause) {
      if (!(cause instanceof RegistryError) || ![404, 416].includes(cause.status)) throw cause;
      throw errors.UploadLost(`the registry has lost an upload: ${cause.message}`, { cause });
    }
  }

  #moveTo(response: HttpResponse): void {
    if (headerOf(response, "location") !== undefined) this.#location = locationOf(response);
  }
}

function locationOf(response: HttpResponse): string {
  const location = headerOf(response, "location");
  if (location !== undefined && location.length <= 8_192) return location;
  throw new RegistryError(400, "the registry began an upload without saying where");
}

/**
 * Parses a `Range` header and returns the number of bytes: `0-99` is 100 bytes. `0-0` counts as no bytes, because registries also
 * send it for empty uploads.
 */
function sizeIn(range: string | undefined): number {
  const last = /^(?:bytes=)?0-(\d{1,15})$/.exec(range ?? "")?.[1];
  return last === undefined || last === "0" ? 0 : Number(last) + 1;
}

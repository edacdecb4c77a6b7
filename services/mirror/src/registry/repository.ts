import type { Readable } from "node:stream";
import { digestLike, digestOf, isDigest } from "./digest.ts";
import { errors } from "./errors.ts";
import { headerOf, wholeBody } from "./http-connection.ts";
import { type Manifest, manifestTypes, maxManifestBytes, parseManifest } from "./manifest.ts";
import type { Registry, RegistryRequest } from "./registry.ts";

/** Requested access to a repository. The token scope contains this string. */
export type Access = "pull" | "pull,push";

/**
 * Repository of a registry. Failed calls are retried as the registry's options specify. Calls that stream content are not
 * retried.
 */
export class Repository {
  readonly registry: Registry;
  readonly name: string;
  readonly #scope: string;

  constructor(registry: Registry, name: string, access: Access) {
    this.registry = registry;
    this.name = name;
    this.#scope = `repository:${name}:${access}`;
  }

  /** Resolves a tag or digest to a digest. Returns undefined if the manifest does not exist. */
  findManifest(reference: string, signal: AbortSignal): Promise<string | undefined> {
    return this.registry.persist(async () => {
      const response = await this.send({
        method: "HEAD",
        url: `/v2/${this.name}/manifests/${reference}`,
        headers: { accept: manifestTypes },
        accept: [200, 404],
        signal,
      });
      await response.body.dump();
      if (response.statusCode === 404) return undefined;
      const said = headerOf(response, "docker-content-digest") ?? "";
      if (isDigest(said)) return said;
      return (await this.#manifestOnce(reference, signal)).digest;
    }, signal);
  }

  /** Reads a manifest. @throws RegistryError with status 404 for a missing manifest; DigestMismatch; ManifestInvalid; TooLarge */
  manifest(reference: string, signal: AbortSignal): Promise<Manifest> {
    return this.registry.persist(() => this.#manifestOnce(reference, signal), signal);
  }

  async #manifestOnce(reference: string, signal: AbortSignal): Promise<Manifest> {
    const what = `manifest ${reference} of ${this.registry.host}/${this.name}`;
    const response = await this.send({
      method: "GET",
      url: `/v2/${this.name}/manifests/${reference}`,
      headers: { accept: manifestTypes },
      accept: [200],
      signal,
    });
    const content = await wholeBody(response, maxManifestBytes, what);
    const digest = isDigest(reference) ? digestLike(reference, content) : digestOf(content);
    if (isDigest(reference) && digest !== reference) {
      throw errors.DigestMismatch(`${what} has the digest ${digest}: the registry gave something else`);
    }
    return parseManifest(content, headerOf(response, "content-type") ?? "", digest, what);
  }

  putManifest(reference: string, { mediaType, content }: Manifest, signal: AbortSignal): Promise<void> {
    return this.registry.persist(async () => {
      const url = `/v2/${this.name}/manifests/${reference}`;
      const headers = { "content-type": mediaType };
      const response = await this.send({ method: "PUT", url, headers, body: content, accept: [201], signal });
      await response.body.dump();
    }, signal);
  }

  hasBlob(digest: string, signal: AbortSignal): Promise<boolean> {
    return this.registry.persist(async () => {
      const url = `/v2/${this.name}/blobs/${digest}`;
      const response = await this.send({ method: "HEAD", url, accept: [200, 404, 307], signal });
      await response.body.dump();
      return response.statusCode !== 404;
    }, signal);
  }

  /**
   * Opens the content of a blob, starting at byte `start`. Makes one attempt and does not verify the content.
   * @throws BlobTruncated if the registry sends fewer bytes than the blob's size
   */
  async openBlob(
    digest: string,
    start: number,
    signal: AbortSignal,
  ): Promise<{ readonly start: number; readonly body: Readable }> {
    const response = await this.send({
      method: "GET",
      url: `/v2/${this.name}/blobs/${digest}`,
      headers: start > 0 ? { range: `bytes=${start}-` } : {},
      accept: [200, 206, 416],
      signal,
    });
    if (response.statusCode === 200) return { start: 0, body: response.body };
    const said = /^bytes (\d{1,15})-/.exec(headerOf(response, "content-range") ?? "")?.[1];
    if (response.statusCode === 206 && said === String(start)) return { start, body: response.body };
    await response.body.dump();
    throw errors.BlobTruncated(
      `blob ${digest} of ${this.registry.host}/${this.name} cannot be read from byte ${start} on`,
    );
  }

  /**
   * Reads and verifies a small blob.
   * @throws DigestMismatch; TooLarge
   */
  blob(digest: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
    return this.registry.persist(async () => {
      const what = `blob ${digest} of ${this.registry.host}/${this.name}`;
      const url = `/v2/${this.name}/blobs/${digest}`;
      const response = await this.send({ method: "GET", url, accept: [200], signal });
      const content = await wholeBody(response, maxBytes, what);
      const found = digestLike(digest, content);
      if (found === digest) return content;
      throw errors.DigestMismatch(`${what} has the digest ${found}: the registry gave something else`);
    }, signal);
  }

  /**
   * Sends a request once. The request's token permits access to this repository, and also pulls from the repository `alsoPull`.
   */
  send(request: Omit<RegistryRequest, "scopes">, alsoPull?: string) {
    const scopes = [this.#scope, ...(alsoPull === undefined ? [] : [`repository:${alsoPull}:pull`])];
    return this.registry.send({ ...request, scopes });
  }
}

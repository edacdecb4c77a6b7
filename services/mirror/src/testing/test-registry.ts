import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, refuse, respond, serveHttps, type TestServer } from "./https-server.ts";
import { RegistryStore, sha256 } from "./registry-store.ts";
import { type TestAccess, TestTokens } from "./test-tokens.ts";
import { TestUploads } from "./test-uploads.ts";

/** Fault that the test injects into a request. Undefined means no fault. */
export type Fault =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
    }
  /** Breaks the connection after this many bytes of a blob. */
  | { readonly breakAfter: number }
  /** Ends the blob after this many bytes. */
  | { readonly endAfter: number }
  | { readonly corrupt: true }
  | undefined;

export interface TestRegistryOptions {
  readonly access?: TestAccess;
  /** URL prefix to which blob GETs are redirected. Repository and digest are appended. */
  readonly redirectBlobs?: string;
  /** Returns the fault to inject. Called for every request to `/v2/`, before the response is sent. */
  readonly fault?: (request: IncomingMessage) => Fault;
}

/** HTTPS test registry with the subset of the OCI distribution protocol that mirroring uses. */
export class TestRegistry implements AsyncDisposable {
  readonly store = new RegistryStore();
  readonly uploads = new TestUploads(this.store);
  readonly tokens: TestTokens;
  /** `METHOD path` of every request. */
  readonly requests: string[] = [];
  readonly #options: TestRegistryOptions;
  readonly #server: Promise<TestServer>;
  #host = "";

  private constructor(options: TestRegistryOptions) {
    this.#options = options;
    this.tokens = new TestTokens(options.access ?? { kind: "open" });
    this.#server = serveHttps((request, response) => this.#handle(request, response));
  }

  static async start(options: TestRegistryOptions = {}): Promise<TestRegistry> {
    const registry = new TestRegistry(options);
    registry.#host = (await registry.#server).host;
    return registry;
  }

  get host(): string {
    return this.#host;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#server)[Symbol.asyncDispose]();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `https://${this.#host}`);
    this.requests.push(`${request.method} ${url.pathname}`);
    if (url.pathname.startsWith("/oauth2/")) return this.tokens.handle(request, response, url);
    const [, repository = "", kind, reference = ""] =
      /^\/v2\/(.+)\/(manifests|blobs\/uploads|blobs)\/([^/]*)$/.exec(url.pathname) ?? [];
    if (!this.tokens.admits(request, response, repository, this.#host)) return undefined;
    const fault = this.#options.fault?.(request);
    if (fault && "status" in fault) {
      request.resume();
      const body = JSON.stringify({ errors: [{ code: "UNKNOWN", message: fault.message ?? "a fault" }] });
      return respond(response, fault.status, fault.headers ?? {}, body);
    }
    if (kind === "manifests") return this.#manifest(request, response, repository, reference);
    if (kind === "blobs/uploads") return this.uploads.handle(request, response, repository, url);
    if (kind === "blobs") return this.#blob(request, response, `${repository}@${reference}`, fault);
    return refuse(response, 404, "NAME_UNKNOWN", "there is nothing here");
  }

  async #manifest(request: IncomingMessage, response: ServerResponse, repository: string, reference: string) {
    const name = `${repository}${reference.includes(":") ? "@" : ":"}${reference}`;
    if (request.method === "PUT") return this.#putManifest(request, response, repository, name);
    const found = this.store.manifests.get(name);
    if (!found) return refuse(response, 404, "MANIFEST_UNKNOWN", `there is no ${name}`);
    const headers = { "content-type": found.mediaType, "docker-content-digest": sha256(found.content) };
    return respond(response, 200, headers, found.content);
  }

  async #putManifest(request: IncomingMessage, response: ServerResponse, repository: string, name: string) {
    const content = await bodyOf(request);
    const { config, layers = [], manifests = [] } = JSON.parse(content.toString());
    const parts: readonly { readonly digest: string }[] = [...(config ? [config] : []), ...layers];
    const blob = parts.find(({ digest }) => !this.store.blobs.has(`${repository}@${digest}`));
    if (blob) return refuse(response, 404, "MANIFEST_BLOB_UNKNOWN", `there is no blob ${blob.digest}`);
    const images: readonly { readonly digest: string }[] = manifests;
    const image = images.find(({ digest }) => !this.store.manifests.has(`${repository}@${digest}`));
    if (image) return refuse(response, 404, "MANIFEST_UNKNOWN", `there is no manifest ${image.digest}`);
    const stored = { mediaType: request.headers["content-type"] ?? "", content };
    this.store.manifests.set(`${repository}@${sha256(content)}`, stored);
    this.store.manifests.set(name, stored);
    return respond(response, 201, { location: `/v2/${repository}/manifests/${sha256(content)}` });
  }

  async #blob(request: IncomingMessage, response: ServerResponse, name: string, fault: Fault): Promise<void> {
    const content = this.store.blobs.get(name);
    if (!content) return refuse(response, 404, "BLOB_UNKNOWN", `there is no ${name}`);
    const { redirectBlobs } = this.#options;
    if (redirectBlobs !== undefined && request.method === "GET") {
      return respond(response, 307, { location: `${redirectBlobs}${name}` });
    }
    return sendBlob(request, response, content, fault);
  }
}

/** Sends a blob, optionally from the byte that the client requests. */
export function sendBlob(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  fault: Fault,
): void {
  if (fault && "endAfter" in fault && content.length > fault.endAfter) {
    sendBlob(request, response, content.subarray(0, fault.endAfter), undefined);
    return;
  }
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (start >= content.length && start > 0) {
    respond(response, 416);
    return;
  }
  const part = Buffer.from(content.subarray(start));
  if (fault && "corrupt" in fault && part.length > 0) part[0] = (part[0] ?? 0) ^ 1;
  const headers =
    start > 0 ? { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` } : {};
  const status = start > 0 ? 206 : 200;
  if (fault && "breakAfter" in fault && request.method === "GET") {
    response.writeHead(status, { "content-length": String(part.length), ...headers });
    response.write(part.subarray(0, fault.breakAfter), () => response.destroy());
    return;
  }
  respond(response, status, headers, part);
}

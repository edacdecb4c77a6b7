import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse, respond } from "./https-server.ts";
import { type RegistryStore, sha256 } from "./registry-store.ts";

interface Session {
  readonly repository: string;
  content: Buffer;
}

/**
 * Chunked uploads of the OCI distribution specification. After a broken connection, an upload retains the bytes that it has
 * received.
 */
export class TestUploads {
  readonly #store: RegistryStore;
  readonly #sessions = new Map<string, Session>();
  /**
   * Number of bytes received per completed blob, by `repository@digest`. A number above the blob's size means that bytes were
   * sent twice.
   */
  readonly takenBytes = new Map<string, number>();
  /** Total number of received bytes. */
  taken = 0;
  mounts = 0;

  constructor(store: RegistryStore) {
    this.#store = store;
  }

  /** Number of received bytes of each incomplete upload. */
  get abandoned(): readonly number[] {
    return [...this.#sessions.values()].map(({ content }) => content.length);
  }

  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    repository: string,
    url: URL,
  ): Promise<void> {
    const id = url.pathname.split("/").at(-1) ?? "";
    const session = this.#sessions.get(id);
    if (request.method === "POST") return this.#start(response, repository, url);
    if (!session) return refuse(response, 404, "BLOB_UPLOAD_UNKNOWN", "there is no such upload");
    switch (request.method) {
      case "GET":
        return respond(response, 204, this.#headers(id, session));
      case "PATCH":
        return this.#append(request, response, id, session);
      case "PUT":
        return this.#finish(request, response, id, session, url.searchParams.get("digest") ?? "");
      case "DELETE":
        this.#sessions.delete(id);
        return respond(response, 204);
      default:
        return refuse(response, 405, "UNSUPPORTED", "not here");
    }
  }

  async #start(response: ServerResponse, repository: string, url: URL): Promise<void> {
    const mount = url.searchParams.get("mount");
    const mounted = this.#store.blobs.get(`${url.searchParams.get("from")}@${mount}`);
    if (mounted) {
      this.mounts++;
      this.#store.blobs.set(`${repository}@${mount}`, mounted);
      return respond(response, 201, { location: `/v2/${repository}/blobs/${mount}` });
    }
    const id = randomUUID();
    const session = { repository, content: Buffer.alloc(0) };
    this.#sessions.set(id, session);
    respond(response, 202, this.#headers(id, session));
  }

  async #append(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    session: Session,
  ): Promise<void> {
    const start = /^(\d+)-/.exec(request.headers["content-range"] ?? "")?.[1];
    if (start !== undefined && Number(start) !== session.content.length) {
      request.resume();
      return refuse(response, 416, "RANGE_INVALID", "chunks come in order");
    }
    await this.#take(request, session);
    respond(response, 202, this.#headers(id, session));
  }

  async #finish(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    session: Session,
    digest: string,
  ): Promise<void> {
    await this.#take(request, session);
    this.#sessions.delete(id);
    const found = sha256(session.content);
    if (found !== digest) return refuse(response, 400, "DIGEST_INVALID", `the content has digest ${found}`);
    const name = `${session.repository}@${digest}`;
    this.takenBytes.set(name, (this.takenBytes.get(name) ?? 0) + session.content.length);
    this.#store.blobs.set(name, session.content);
    respond(response, 201, { location: `/v2/${session.repository}/blobs/${digest}` });
  }

  async #take(request: IncomingMessage, session: Session): Promise<void> {
    for await (const chunk of request) {
      session.content = Buffer.concat([session.content, chunk]);
      this.taken += chunk.length;
    }
  }

  #headers(id: string, { repository, content }: Session): Record<string, string> {
    return {
      location: `/v2/${repository}/blobs/uploads/${id}?state=${content.length}`,
      range: `0-${Math.max(0, content.length - 1)}`,
    };
  }
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { failures } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import { type PathInfo, parseRequestInfo, type RequestInfo } from "./request-info.ts";
import type { Upgrade } from "./upgrade.ts";

/** Bodies above this are refused, as kube-apiserver does. */
const maxBodyBytes = 3 * 1_024 * 1_024;

/** One HTTP request to a cluster, its URL taken apart. */
export interface ApiRequest {
  readonly method: string;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** What answering may still take. */
  readonly budget: WorkBudget;
  /** The logical cluster in whose turn its long work is done. */
  readonly owner: object;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** There when the client asks for another protocol on a path that has one. */
  readonly upgrade?: Upgrade;
}

/** A request for a document. */
export interface PathRequest extends ApiRequest {
  readonly info: PathInfo;
}

/** What a request's URL and method say. */
export interface RequestTarget extends Pick<ApiRequest, "method" | "info" | "query"> {
  readonly cluster: string;
}

/**
 * Reads what follows `/clusters/{name}` in a URL, or the whole URL when it is of the cluster `root`. `undefined` for a
 * URL outside all clusters. With `isRootOnly` the server's host name selects the cluster. @throws StatusError 400
 */
export function parseTarget(
  { method = "GET", url = "/" }: IncomingMessage,
  root?: string,
  isRootOnly = false,
): RequestTarget | undefined {
  const [pathname = "", search = ""] = splitOnce(url, "?");
  const match = isRootOnly ? null : /^\/clusters\/([a-z0-9-]+)(\/.*)?$/.exec(pathname);
  if (!match && root === undefined) return undefined;
  const [, cluster = "", path = "/"] = match ?? ["", root, pathname];
  const query = new URLSearchParams(search);
  return { cluster, method, query, info: parseRequestInfo(method, path, query) };
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The whole body. @throws StatusError 413, and 400 when the client goes away. */
export function readBody({ incoming }: ApiRequest): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) {
    reject(failures.tooLarge(maxBodyBytes));
    return promise;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    // The connection stays: the client gets an answer, and what it still sends is discarded.
    else reject(failures.tooLarge(maxBodyBytes));
  });
  incoming.once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  const early = (error?: Error) => {
    if (!incoming.complete) reject(failures.badRequest(`the request ended early: ${error?.message ?? ""}`));
  };
  incoming.once("error", early);
  incoming.once("close", early);
  return promise;
}

/** The media type of the body without its parameters; JSON when the client names none. */
export function mediaTypeOf({ incoming }: ApiRequest): string {
  const header = incoming.headers["content-type"];
  return header ? (header.split(";")[0] ?? "").trim().toLowerCase() : "application/json";
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { failures } from "@keelson/apimachinery";
import { messageOf, type WorkBudget } from "@keelson/base";
import { type PathInfo, parseRequestInfo, type RequestInfo } from "./request-info.ts";
import type { Upgrade } from "./upgrade.ts";

/** Maximum size of a request body in bytes, as in kube-apiserver. */
const maxBodyBytes = 3 * 1_024 * 1_024;

/** HTTP request to a cluster, and the parsed URL of the request. */
export interface ApiRequest {
  readonly method: string;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** Remaining work budget of this request. */
  readonly budget: WorkBudget;
  /** Scheduling owner of long work: the logical cluster. */
  readonly owner: object;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** Upgrade of the connection. Set if the client requests a protocol upgrade on a path that supports it. */
  readonly upgrade?: Upgrade;
}

/** HTTP request for a document. */
export interface PathRequest extends ApiRequest {
  readonly info: PathInfo;
}

/** Properties of a request from its method and URL. */
export interface RequestTarget extends Pick<ApiRequest, "method" | "info" | "query"> {
  readonly cluster: string;
}

/**
 * Parses the URL below `/clusters/{name}`. The cluster `root` uses the complete URL. Returns undefined for a URL outside all
 * clusters. With `isRootOnly`, the host name has already selected the cluster.
 * @throws StatusError 400
 */
export function parseTarget(
  { method = "GET", url = "/" }: IncomingMessage,
  root?: string,
  isRootOnly = false,
): RequestTarget | undefined {
  const [pathname = "", search = ""] = splitOnce(url, "?");
  // Some commands of oc, for example `oc adm node-logs`, repeat the path of the server URL.
  const match = isRootOnly
    ? null
    : /^\/clusters\/([a-z0-9-]+)(?:\/clusters\/\1(?=\/|$))?(\/.*)?$/.exec(pathname);
  if (!match && root === undefined) return undefined;
  const [, cluster = "", path = "/"] = match ?? ["", root, pathname];
  const query = new URLSearchParams(search);
  return { cluster, method, query, info: parseRequestInfo(method, path, query) };
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Reads the complete body. @throws StatusError 413, or 400 if the client disconnects */
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
    // The connection stays open. The client receives a response, and the server discards the rest of the body.
    else reject(failures.tooLarge(maxBodyBytes));
  });
  incoming.once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  const early = (error?: Error) => {
    if (!incoming.complete)
      reject(failures.badRequest(`the request body is incomplete: ${error?.message ?? ""}`));
  };
  incoming.once("error", early);
  incoming.once("close", early);
  return promise;
}

/** Reads the complete body without keeping it. Bodies of any size are accepted. @throws StatusError 400 if the client disconnects */
export async function discardBody({ incoming }: ApiRequest): Promise<void> {
  try {
    for await (const _ of incoming);
  } catch (error) {
    throw failures.badRequest(`the request body is incomplete: ${messageOf(error)}`);
  }
}

/** Media type of the body without parameters. Default: JSON. */
export function mediaTypeOf({ incoming }: ApiRequest): string {
  const header = incoming.headers["content-type"];
  return header ? (header.split(";")[0] ?? "").trim().toLowerCase() : "application/json";
}

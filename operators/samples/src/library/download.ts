import { get as getHttp, type IncomingMessage } from "node:http";
import { get as getHttps } from "node:https";
import { messageOf, withTimeout } from "@keelson/base";
import { contentErrors } from "../content/content-errors.ts";
import { checkLiteralAddress, lookupPublic } from "./public-address.ts";

export interface DownloadOptions {
  /** True to allow private addresses and unencrypted connections. */
  readonly allowPrivateAddresses: boolean;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

const maxRedirects = 5;

/**
 * Downloads a document. Unless private addresses are allowed, the URL and all redirects must use https and a public host.
 * @throws DownloadFailed
 */
export async function download(url: string, options: DownloadOptions, signal: AbortSignal): Promise<string> {
  const { timeoutMs = 30_000 } = options;
  const limited = withTimeout(signal, timeoutMs);
  try {
    let next = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await request(parseDownloadUrl(next, options), options, limited);
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location) {
        response.destroy();
        next = new URL(headers.location, next).href;
        continue;
      }
      if (statusCode !== 200) {
        response.destroy();
        throw new Error(`the host responded with ${statusCode}`);
      }
      return await readText(response, options.maxBytes ?? 1_000_000);
    }
    throw new Error(`more than ${maxRedirects} redirects`);
  } catch (cause) {
    signal.throwIfAborted();
    const why = limited.aborted ? `no response within ${timeoutMs} ms` : messageOf(cause);
    throw contentErrors.DownloadFailed(`${url}: ${why}`, { cause });
  }
}

/**
 * Parses a URL and checks that it may be downloaded.
 * @throws DownloadFailed
 */
export function parseDownloadUrl(
  text: string,
  { allowPrivateAddresses }: Pick<DownloadOptions, "allowPrivateAddresses">,
): URL {
  const url = URL.parse(text);
  if (!url) throw contentErrors.DownloadFailed(`${JSON.stringify(text)} is not a URL`);
  if (url.protocol !== "https:" && !(allowPrivateAddresses && url.protocol === "http:"))
    throw contentErrors.DownloadFailed(`${url.protocol}// is not read: use https://`);
  if (!allowPrivateAddresses) checkLiteralAddress(url);
  return url;
}

function request(
  url: URL,
  { allowPrivateAddresses }: DownloadOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const get = url.protocol === "https:" ? getHttps : getHttp;
  const lookup = allowPrivateAddresses ? {} : { lookup: lookupPublic };
  get(
    url,
    { signal, agent: false, headers: { accept: "*/*", "user-agent": "keelson" }, ...lookup },
    resolve,
  ).once("error", reject);
  return promise;
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

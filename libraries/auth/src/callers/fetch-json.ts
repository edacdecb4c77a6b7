import { request } from "node:https";
import type { JsonValue } from "@keelson/base";
import { errors } from "./errors.ts";

const maxBytes = 1_048_576;

/**
 * Fetches a JSON document over HTTPS. The response must have status 200, type `application/json` and at most 1 MiB. Redirects are
 * rejected. `caPem` replaces the public CA certificates.
 * @throws DocumentUnavailable
 */
export async function fetchJson(
  url: string,
  caPem: string | undefined,
  signal: AbortSignal,
): Promise<JsonValue> {
  if (URL.parse(url)?.protocol !== "https:") throw errors.DocumentUnavailable(`${url} is not an https URL.`);
  const text = await fetchText(url, caPem, signal);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw errors.DocumentUnavailable(`${url} returned invalid JSON.`, { cause });
  }
}

function fetchText(url: string, caPem: string | undefined, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) =>
      reject(errors.DocumentUnavailable(`${url} could not be read: ${why}`, { cause }));
    const options = { signal, agent: false as const, ...(caPem ? { ca: caPem } : {}) };
    const sent = request(url, options, (response) => {
      const { statusCode = 0, headers } = response;
      const [contentType = ""] = (headers["content-type"] ?? "").split(";");
      if (statusCode !== 200 || contentType.trim().toLowerCase() !== "application/json") {
        fail(`it returned status ${statusCode} with the content type '${contentType}'`);
        sent.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length <= maxBytes) return;
        fail(`it returned more than ${maxBytes} bytes`);
        sent.destroy();
      });
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      response.on("error", (error) => fail(error.message, error));
    });
    sent.on("error", (error) => fail(error.message, error));
    sent.end();
  });
}

import type { HttpMethods, PipelineResponse, RestError } from "@azure/core-rest-pipeline";
import type { Secret } from "@keelson/base";
import { restPipeline } from "./sdks.ts";
import { anonymousPipeline, type SignedRequestOptions, signedPipeline } from "./signed-pipeline.ts";

export interface BlobContainerOptions extends SignedRequestOptions {
  /** Container URL, for example `https://account.blob.core.windows.net/$web`. */
  readonly containerUrl: string;
  /** Shared access signature without the leading `?`. If it is set, the credential is not used. */
  readonly signature?: Secret | undefined;
}

/** Client for small blobs in one storage container, authenticated as one principal. */
export interface BlobContainer {
  /** Writes a blob. Replaces an existing blob. */
  put(name: string, content: Uint8Array, contentType: string, signal: AbortSignal): Promise<void>;
  /** Returns the content of a blob, or `undefined` if it does not exist. */
  find(name: string, signal: AbortSignal): Promise<Buffer | undefined>;
  /** Deletes a blob. No error if it does not exist. */
  delete(name: string, signal: AbortSignal): Promise<void>;
  /** Deletes the container and its blobs. No error if it does not exist. */
  deleteContainer(signal: AbortSignal): Promise<void>;
}

const apiVersion = "2023-11-03";
const audience = "https://storage.azure.com";

export function connectBlobContainer(options: BlobContainerOptions): BlobContainer {
  const { signature } = options;
  const containerUrl = options.containerUrl.replace(/\/+$/, "");
  const sendOn = signature ? anonymousPipeline(options) : signedPipeline(options, { audience });
  const blobUrl = (name: string) => `${containerUrl}/${name.split("/").map(encodeURIComponent).join("/")}`;

  async function send(
    method: HttpMethods,
    address: string,
    signal: AbortSignal,
    body?: { readonly content: Uint8Array; readonly contentType: string },
  ): Promise<PipelineResponse> {
    const separator = address.includes("?") ? "&" : "?";
    const request = restPipeline().createPipelineRequest({
      url: signature ? `${address}${separator}${signature.reveal()}` : address,
      method,
      abortSignal: signal,
      ...(body ? { body: body.content } : {}),
      // Reads the response as bytes, because decoding it as text would corrupt binary blobs.
      ...(method === "GET" ? { streamResponseStatusCodes: new Set([200]) } : {}),
    });
    request.headers.set("x-ms-version", apiVersion);
    if (body) {
      request.headers.set("x-ms-blob-type", "BlockBlob");
      request.headers.set("content-type", body.contentType);
    }
    return sendOn(request);
  }

  /** Creates an error without the query and the body, because the query may contain a signature. */
  function failure(response: PipelineResponse): RestError {
    const { status: statusCode, headers, request } = response;
    const code = headers.get("x-ms-error-code") ?? "BlobRequestFailed";
    const { host, pathname } = new URL(request.url);
    const { RestError } = restPipeline();
    return new RestError(`${request.method} ${host}${pathname} was answered with ${statusCode} ${code}`, {
      code,
      statusCode,
      ...(signature ? {} : { request, response }),
    });
  }

  return {
    async put(name, content, contentType, signal) {
      const response = await send("PUT", blobUrl(name), signal, { content, contentType });
      if (response.status >= 300) throw failure(response);
    },
    async find(name, signal) {
      const response = await send("GET", blobUrl(name), signal);
      if (response.status === 404) return undefined;
      if (!response.readableStreamBody) throw failure(response);
      const pieces: Buffer[] = [];
      for await (const piece of response.readableStreamBody) pieces.push(Buffer.from(piece));
      return Buffer.concat(pieces);
    },
    async delete(name, signal) {
      const response = await send("DELETE", blobUrl(name), signal);
      if (response.status >= 300 && response.status !== 404) throw failure(response);
    },
    async deleteContainer(signal) {
      const response = await send("DELETE", `${containerUrl}?restype=container`, signal);
      if (response.status >= 300 && response.status !== 404) throw failure(response);
    },
  };
}

import { restPipeline } from "./sdks.ts";
import { type SignedRequestOptions, signedPipeline } from "./signed-pipeline.ts";

export interface StaticWebsiteOptions extends SignedRequestOptions {
  /** Account URL, for example `https://account.blob.core.windows.net`. */
  readonly accountUrl: string;
}

const apiVersion = "2023-11-03";
const body =
  '<?xml version="1.0" encoding="utf-8"?><StorageServiceProperties><StaticWebsite><Enabled>true</Enabled>' +
  "</StaticWebsite></StorageServiceProperties>";

/**
 * Enables the static website of a storage account (container `$web`). The request goes to the account's data plane, because ARM
 * has no such setting. Other settings of the account do not change.
 */
export async function enableStaticWebsite(options: StaticWebsiteOptions, signal: AbortSignal): Promise<void> {
  const { createPipelineRequest, RestError } = restPipeline();
  const send = signedPipeline(options, { audience: "https://storage.azure.com" });
  const url = `${options.accountUrl.replace(/\/+$/, "")}/?restype=service&comp=properties`;
  const request = createPipelineRequest({ url, method: "PUT", abortSignal: signal, body });
  request.headers.set("x-ms-version", apiVersion);
  request.headers.set("content-type", "application/xml");
  const response = await send(request);
  if (response.status < 300) return;
  const code = response.headers.get("x-ms-error-code") ?? "StorageRequestFailed";
  throw new RestError(
    `The static website of ${options.accountUrl} was rejected with ${response.status} ${code}`,
    {
      code,
      statusCode: response.status,
      request,
      response,
    },
  );
}

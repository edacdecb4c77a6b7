import { isPlainObject } from "@keelson/base";
import { declaredLength, type ListenerRequest, mediaTypeOf, receiveBody } from "@keelson/http";
import { consoleErrors } from "./errors.ts";

const limits = { maxBytes: 65_536, receiveMs: 10_000 };

/** Reads the request body as a JSON object. @throws UnsupportedMediaType, RequestTooLarge, BadRequest */
export async function readObject(
  request: ListenerRequest,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { headers } = request;
  if (mediaTypeOf(headers["content-type"]) !== "application/json")
    throw consoleErrors.UnsupportedMediaType("The body must be application/json.");
  const received = await receiveBody(request, limits, signal, declaredLength(headers["content-length"]));
  switch (received.kind) {
    case "complete":
      return parse(received.bytes);
    case "too-large":
      throw consoleErrors.RequestTooLarge(`The body is larger than ${limits.maxBytes} bytes.`);
    case "broken":
    case "late":
    case "aborted":
      request.destroy();
      throw consoleErrors.BadRequest("The body did not arrive.");
  }
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw consoleErrors.BadRequest("The body is not JSON.", { cause });
  }
  if (isPlainObject(value)) return value;
  throw consoleErrors.BadRequest("The body is not a JSON object.");
}

import { declaredLength, type ListenerRequest, mediaTypeOf, receiveBody } from "@keelson/http";
import { portalErrors } from "../errors/portal-errors.ts";

const limits = { maxBytes: 65_536, receiveMs: 10_000 };

/**
 * Parses a request body as JSON.
 * @throws UnsupportedMediaType, RequestTooLarge, BadRequest
 */
export async function readJson(request: ListenerRequest, signal: AbortSignal): Promise<unknown> {
  const { headers } = request;
  if (mediaTypeOf(headers["content-type"]) !== "application/json")
    throw portalErrors.UnsupportedMediaType("The body must be application/json.");
  const received = await receiveBody(request, limits, signal, declaredLength(headers["content-length"]));
  switch (received.kind) {
    case "complete":
      return parse(received.bytes);
    case "too-large":
      throw portalErrors.RequestTooLarge(`The body is larger than ${limits.maxBytes} bytes.`);
    case "broken":
      throw received.cause ?? new Error("the connection closed before the end of the body");
    case "late":
    case "aborted":
      request.destroy();
      throw new Error("the body did not arrive in time");
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw portalErrors.BadRequest("The body is not JSON.", { cause });
  }
}

import { withTimeout } from "@keelson/base";
import { portalErrors } from "../errors.ts";
import type { PortalRequest } from "./portal-server.ts";

const maxBytes = 65_536;
const maxMs = 10_000;

/** The body of a request as JSON. @throws UnsupportedMediaType, RequestTooLarge, BadRequest */
export async function readJson(request: PortalRequest, signal: AbortSignal): Promise<unknown> {
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json")
    throw portalErrors.UnsupportedMediaType("The body must be application/json.");
  const limit = withTimeout(signal, maxMs);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = () => request.destroy(new Error("the body did not arrive in time"));
  limit.addEventListener("abort", end);
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw portalErrors.RequestTooLarge(`The body is larger than ${maxBytes} bytes.`);
      chunks.push(Buffer.from(chunk));
    }
  } finally {
    limit.removeEventListener("abort", end);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (cause) {
    throw portalErrors.BadRequest("The body is not JSON.", { cause });
  }
}

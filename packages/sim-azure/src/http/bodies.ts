import type { JsonValue } from "@keelson/base";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { takesTemplates } from "../deployments/deployment-path.ts";
import { asJson } from "../json.ts";
import { parseTemplateText } from "./template-text.ts";

/** Anyone may send forms, and those of sign-ins are small. */
export const formLimit = 256 * 1024;

/** The most of a blob that one request writes. */
export const blobLimit = 64 * 1024 * 1024;

/** Reads JSON, the form that sign-in uses, and bytes, which blobs are whatever they are called. An empty body is `undefined`. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    /^application\/([\w.-]+\+)?json\b/i,
    { parseAs: "string" },
    async (request: FastifyRequest, text: string) => {
      if (isBlob(request)) return Buffer.from(text);
      return text.trim() === "" ? undefined : parseJson(text, request);
    },
  );
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: formLimit },
    async (_: FastifyRequest, text: string) => new URLSearchParams(text),
  );
  app.addContentTypeParser<Buffer>(
    "application/octet-stream",
    { parseAs: "buffer", bodyLimit: blobLimit },
    async (_: FastifyRequest, bytes: Buffer) => bytes,
  );
  app.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (isBlob(request)) return bytes;
      throw notJson();
    },
  );
}

/** Whether a request is for Azure Storage, whose clients all name its version. */
function isBlob({ headers }: FastifyRequest): boolean {
  return headers["x-ms-version"] !== undefined;
}

/** The JSON that a request to ARM carries. @throws ArmError */
export function jsonBody(request: FastifyRequest): JsonValue | undefined {
  const { body } = request;
  if (body === undefined || body === null) return undefined;
  if (body instanceof URLSearchParams || Buffer.isBuffer(body)) {
    throw notJson();
  }
  try {
    return asJson(body);
  } catch {
    throw invalidContent("it is nested too deeply");
  }
}

function parseJson(text: string, { originalUrl }: FastifyRequest): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const template = takesTemplates(originalUrl) ? templateIn(text) : undefined;
    if (template !== undefined) return template;
    throw invalidContent("it is not JSON");
  }
}

function templateIn(text: string): unknown {
  try {
    return parseTemplateText(text);
  } catch {
    return undefined;
  }
}

function notJson(): ArmError {
  return new ArmError(
    415,
    "UnsupportedMediaType",
    "The content type of the request must be application/json.",
  );
}

function invalidContent(reason: string): ArmError {
  return badRequest(
    "InvalidRequestContent",
    `The request content was invalid and could not be read: ${reason}.`,
  );
}

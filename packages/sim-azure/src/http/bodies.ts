import type { JsonValue } from "@keelson/base";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { asJson } from "../json.ts";

/** Reads JSON, and the form that sign-in uses. An empty body is `undefined`. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    /^application\/([\w.-]+\+)?json\b/i,
    { parseAs: "string" },
    async (_: FastifyRequest, text: string) => (text.trim() === "" ? undefined : parseJson(text)),
  );
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_: FastifyRequest, text: string) => new URLSearchParams(text),
  );
}

/** The JSON that a request to ARM carries. @throws ArmError */
export function jsonBody(request: FastifyRequest): JsonValue | undefined {
  const { body } = request;
  if (body === undefined || body === null) return undefined;
  if (body instanceof URLSearchParams) {
    throw new ArmError(
      415,
      "UnsupportedMediaType",
      "The content type of the request must be application/json.",
    );
  }
  try {
    return asJson(body);
  } catch {
    throw invalidContent("it is nested too deeply");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidContent("it is not JSON");
  }
}

function invalidContent(reason: string): ArmError {
  return badRequest(
    "InvalidRequestContent",
    `The request content was invalid and could not be read: ${reason}.`,
  );
}

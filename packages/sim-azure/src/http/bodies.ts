import type { FastifyInstance, FastifyRequest } from "fastify";
import { badRequest } from "../arm/arm-error.ts";
import { asJson } from "../json.ts";

/** What a request carried: JSON, or the form that sign-in uses. An empty body is `undefined`. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    /^application\/([\w.-]+\+)?json\b/i,
    { parseAs: "string" },
    async (_: FastifyRequest, text: string) => {
      if (text.trim() === "") return undefined;
      try {
        return asJson(JSON.parse(text));
      } catch (cause) {
        const reason = cause instanceof RangeError ? cause.message : "it is not JSON";
        throw badRequest(
          "InvalidRequestContent",
          `The request content was invalid and could not be deserialized: ${reason}.`,
        );
      }
    },
  );
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_: FastifyRequest, text: string) => new URLSearchParams(text),
  );
}

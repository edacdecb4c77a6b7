import type { FastifyReply } from "fastify";
import { ArmError } from "../arm/arm-error.ts";
import { xmlDocument } from "./blob-xml.ts";

/** Error in the XML format of Azure Storage. The error code is also sent in a header. */
export class StorageError extends ArmError {
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(status, code, message, { headers: { ...headers, "x-ms-error-code": code } });
    this.name = "StorageError";
  }

  response(reply: FastifyReply): void {
    const { status, code, message, headers } = this;
    // Status 304 for an unchanged blob has no body.
    if (status === 304) void reply.code(304).headers(headers).send();
    else {
      const text = xmlDocument({ Error: { Code: code, Message: message } });
      void reply.code(status).headers(headers).header("content-type", "application/xml").send(text);
    }
  }
}

export function invalidHeader(name: string): StorageError {
  return new StorageError(
    400,
    "InvalidHeaderValue",
    `The value of the header '${name}' is missing or invalid.`,
  );
}

export function invalidQuery(name: string): StorageError {
  return new StorageError(
    400,
    "InvalidQueryParameterValue",
    `Value for the query parameter '${name}' specified in the request URI is invalid.`,
  );
}

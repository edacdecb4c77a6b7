import type { IncomingMessage } from "node:http";
import { type JsonValue, startTimeLimit } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { asJson } from "../base/json.ts";
import { takesTemplates } from "../deployments/paths/deployment-path.ts";
import { recordingOf } from "../request-log/recording.ts";
import { parseTemplateText } from "./template-text.ts";

/** Maximum JSON body size in bytes. ARM accepts templates of 4 MB. Other bodies are smaller. */
const jsonLimit = 4 * 1024 * 1024;

/** Maximum form size in bytes. Forms are unauthenticated, and sign-in forms are small. */
const formLimit = 256 * 1024;

/** Maximum pause in ms between two chunks of a body. */
const idleMs = 30_000;

/** Time limit in ms for bodies that are buffered in memory. */
const wholeMs = 120_000;

/** Body of a request. It is read only after the request has been authorized. */
export class RequestBody {
  readonly #incoming: IncomingMessage;
  readonly #url: string;

  constructor(incoming: IncomingMessage, url: string) {
    this.#incoming = incoming;
    this.#url = url;
  }

  /**
   * Parses the body as JSON. Returns `undefined` if the request has no body or its method does not support a body.
   * @throws ArmError 400, 408, 413, 415
   */
  async json(limit = jsonLimit): Promise<JsonValue | undefined> {
    const { method = "GET" } = this.#incoming;
    if (!this.#isThere() || method === "GET" || method === "HEAD") return undefined;
    if (!/^application\/([\w.-]+\+)?json\b/i.test(this.#contentType())) {
      throw new ArmError(
        415,
        "UnsupportedMediaType",
        "The content type of the request must be application/json.",
      );
    }
    const bytes = await this.bytes(limit);
    const text = bytes.toString();
    if (text.trim() === "") return undefined;
    try {
      const json = asJson(this.#parse(text));
      recordingOf(this.#incoming)?.requestJson(json, bytes.length);
      return json;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw invalidContent("it is nested too deeply");
    }
  }

  /** Parses the body as a sign-in form. Returns an empty form for other content types. @throws ArmError 408, 413 */
  async form(): Promise<URLSearchParams> {
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(this.#contentType());
    if (!isForm) return new URLSearchParams();
    const bytes = await this.bytes(formLimit);
    const form = new URLSearchParams(bytes.toString());
    recordingOf(this.#incoming)?.requestForm(form, bytes.length);
    return form;
  }

  /** Reads the complete body. @throws ArmError 408, 413 */
  async bytes(limit: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.stream(limit, wholeMs)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** Streams the body. Fails at the first byte beyond `limit`. @throws ArmError 408, 413 */
  async *stream(limit: number, withinMs?: number): AsyncGenerator<Buffer, void, void> {
    const incoming = this.#incoming;
    if (Number(incoming.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
    const tooSlow = Promise.withResolvers<never>();
    tooSlow.promise.catch(() => undefined);
    const giveUp = () => tooSlow.reject(timedOut());
    using _whole = withinMs === undefined ? undefined : startTimeLimit(withinMs, giveUp);
    let idle = startTimeLimit(idleMs, giveUp);
    const chunks = incoming.iterator({ destroyOnReturn: false });
    let length = 0;
    try {
      for (;;) {
        const { done, value } = await Promise.race([chunks.next(), tooSlow.promise]);
        if (done) return;
        idle[Symbol.dispose]();
        idle = startTimeLimit(idleMs, giveUp);
        length += value.length;
        if (length > limit) throw tooLarge(limit);
        yield value;
      }
    } finally {
      idle[Symbol.dispose]();
    }
  }

  #isThere(): boolean {
    const { headers } = this.#incoming;
    return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  }

  #contentType(): string {
    return this.#incoming.headers["content-type"] ?? "";
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      const template = takesTemplates(this.#url) ? templateIn(text) : undefined;
      if (template !== undefined) return template;
      throw invalidContent("it is not JSON");
    }
  }
}

function templateIn(text: string): unknown {
  try {
    return parseTemplateText(text);
  } catch {
    return undefined;
  }
}

function timedOut(): ArmError {
  return new ArmError(408, "RequestTimeout", "The content of the request did not arrive in time.");
}

function tooLarge(limit: number): ArmError {
  return new ArmError(413, "RequestEntityTooLarge", `The request content exceeds ${limit} bytes.`);
}

function invalidContent(reason: string): ArmError {
  return badRequest(
    "InvalidRequestContent",
    `The request content was invalid and could not be read: ${reason}.`,
  );
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Clock, redactText, unverifiedClaims } from "@keelson/base";
import { type HeaderValues, loggedHeaders } from "./logged-headers.ts";
import { type RedactionMode, redactedJson } from "./redacted-json.ts";
import { redactedForm, redactedTarget } from "./redacted-parameters.ts";
import type { LoggedBody, RequestLog } from "./request-log.ts";

/** Maximum logged length of a body in characters. */
const maxBody = 32_768;

/** Services with strict redaction, because their requests contain secrets. */
const strictServices = new Set(["entra", "vault", "identity", "metadata"]);

/** Collects one request and adds it to the log when its response ends. */
export class Recording {
  readonly #mode: RedactionMode;
  #caller: string | undefined;
  #requestBody: LoggedBody | undefined;
  /** Response headers. Empty for responses that are written directly to the socket, such as blobs. */
  #responseHeaders: Readonly<Record<string, string>> = {};
  #responseBody: LoggedBody | undefined;

  constructor(log: RequestLog, { incoming, outgoing, target, host, service, clock }: RecordedRequest) {
    this.#mode = strictServices.has(service) ? "strict" : "usual";
    this.#caller = callerIn(incoming.headers.authorization);
    const at = clock.now().toISOString();
    const startedMs = clock.monotonicMs();
    let isFinished = false;
    outgoing.once("finish", () => {
      isFinished = true;
    });
    outgoing.once("close", () => {
      const client = clientIn(incoming.headers["user-agent"]);
      log.add(
        {
          at,
          method: incoming.method ?? "",
          host,
          path: redactedTarget(target),
          service,
          ...(isFinished ? { status: outgoing.statusCode } : {}),
          durationMs: Math.round(clock.monotonicMs() - startedMs),
          ...(this.#caller === undefined ? {} : { caller: this.#caller }),
          ...(client === undefined ? {} : { client }),
        },
        {
          requestHeaders: loggedHeaders(incoming.headers),
          ...(this.#requestBody ? { requestBody: this.#requestBody } : {}),
          responseHeaders: this.#responseHeaders,
          ...(this.#responseBody ? { responseBody: this.#responseBody } : {}),
        },
      );
    });
  }

  /** Records a parsed request body. */
  requestJson(value: unknown, bytes: number): void {
    this.#requestBody = { bytes, ...redactedJson(value, maxBody, this.#mode) };
  }

  /** Records a sign-in form. */
  requestForm(form: URLSearchParams, bytes: number): void {
    const client = form.get("client_id");
    if (client !== null) this.#caller ??= shortText(client);
    this.#requestBody = { bytes, ...redactedForm(form, maxBody) };
  }

  /** Records the headers and the parsed body of a response. */
  response(headers: HeaderValues, value: unknown): void {
    this.#responseHeaders = loggedHeaders(headers);
    if (value !== undefined) this.#responseBody = redactedJson(value, maxBody, this.#mode);
  }
}

export interface RecordedRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Path with query, as the client sent it. */
  readonly target: string;
  readonly host: string;
  readonly service: string;
  readonly clock: Clock;
}

/** Recordings of requests in progress. */
const recordings = new WeakMap<IncomingMessage, Recording>();

export function startRecording(log: RequestLog, request: RecordedRequest): void {
  recordings.set(request.incoming, new Recording(log, request));
}

/** Returns the recording of a request. Returns undefined if the request is not logged. */
export function recordingOf(incoming: IncomingMessage): Recording | undefined {
  return recordings.get(incoming);
}

function callerIn(authorization: string | undefined): string | undefined {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  const claims = unverifiedClaims(token);
  const name = ["upn", "preferred_username", "appid", "azp", "oid"].map((each) => claims?.[each]);
  const found = name.find((each) => typeof each === "string");
  return found === undefined ? undefined : shortText(String(found));
}

function clientIn(userAgent: string | undefined): string | undefined {
  const word = userAgent?.trim().split(/\s/, 1)[0];
  return word ? shortText(word) : undefined;
}

function shortText(text: string): string {
  return redactText(text.slice(0, 128));
}

import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { TLSSocket } from "node:tls";
import {
  type OperationUrls,
  operationUrls,
  parseSystemData,
  providerNamespace,
  type SystemData,
} from "@keelson/arm";
import {
  type AdminRole,
  type Admission,
  type AuthorizationRequest,
  hasRole,
  isAdminRequest,
  rightsOf,
} from "@keelson/auth";
import type { ActiveSpan, Clock, JsonValue } from "@keelson/base";
import type { ApiVersion, CorrelationData } from "@keelson/model";
import { originalSegments } from "./normalised-path.ts";
import type { PathParameters } from "./path-parameters.ts";
import { checkBody, checkTexts, parseJson, type RequestBody } from "./request-body.ts";
import type { WebRequest } from "./web-server.ts";

/** Origin for URLs in responses to requests without a `Host` header. Source: Azure/ARO-RP pkg/frontend/middleware/headers.go. */
const defaultOrigin = "https://localhost:8443";

/** Header in which administrators' tools send the name of their user. */
export const principalHeader = "x-ms-client-principal-name";

export interface RequestContextOptions {
  readonly request: WebRequest;
  readonly parameters: PathParameters;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Request with the values that routes read. Values are computed on demand. */
export class RequestContext implements AuthorizationRequest {
  /** Request ID. The response returns it as `X-Ms-Request-Id`. */
  readonly requestId = randomUUID();
  readonly parameters: PathParameters;
  readonly receivedAt: Date;
  /** Arrival time on the monotonic clock in ms. */
  readonly startedMs: number;
  /** Signal that aborts the work of this request, for example at its time limit. */
  readonly signal: AbortSignal;
  /** Normalised path without the query string. */
  readonly path: string;
  /**
   * Value of the query parameter `api-version`. Default: empty. If the parameter occurs several times, its first value is used
   * everywhere, including authorization.
   */
  readonly apiVersion: string;
  readonly #request: WebRequest;
  #version: ApiVersion | undefined;
  #gone: AbortController | undefined;
  #hasLeft = false;
  #failure: string | undefined;
  #span: ActiveSpan | undefined;
  #admission: Admission = false;
  #parsed: JsonValue | undefined;

  constructor({ request, parameters, clock, signal }: RequestContextOptions) {
    this.#request = request;
    this.parameters = parameters;
    this.receivedAt = clock.now();
    this.startedMs = clock.monotonicMs();
    this.signal = signal;
    const mark = request.url.indexOf("?");
    this.path = mark < 0 ? request.url : request.url.slice(0, mark);
    this.apiVersion = this.query("api-version") ?? "";
  }

  /** Resolved API version. Available only on routes that check the version. */
  get version(): ApiVersion {
    if (!this.#version) throw new Error(`the route of ${this.path} has no API version`);
    return this.#version;
  }

  useVersion(version: ApiVersion | undefined): void {
    this.#version = version;
  }

  /** Signal that aborts if the caller disconnects before it receives the response. */
  get gone(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#hasLeft) this.left();
    return this.#gone.signal;
  }

  left(): void {
    this.#hasLeft = true;
    this.#gone?.abort(new Error("the caller has gone"));
  }

  /** Error code of the response, for the audit line. */
  get failure(): string | undefined {
    return this.#failure;
  }

  failedWith(code: string): void {
    this.#failure = code;
  }

  /** Role of the administrator. Undefined for callers without roles. */
  get role(): string | undefined {
    const rights = rightsOf(this.#admission);
    return typeof rights === "string" ? rights : undefined;
  }

  /** True if the caller is an administrator with at least this role. */
  hasRole(needed: AdminRole): boolean {
    return hasRole(this.#admission, needed);
  }

  /**
   * Authenticated caller. It is the subject of the token or certificate. Undefined if the service accepts callers without
   * authentication.
   */
  get subject(): string | undefined {
    return typeof this.#admission === "object" ? this.#admission.subject : undefined;
  }

  /**
   * Subject, start time (RFC 3339) and expiry time of the activated role `elevated`. Undefined if the caller's role needs no
   * activation.
   */
  get elevation(): { readonly of: string; readonly from: string; readonly until: Date } | undefined {
    if (typeof this.#admission !== "object" || !this.#admission.elevation) return undefined;
    return { of: this.#admission.subject, ...this.#admission.elevation };
  }

  /** User name of the authenticated caller, for display only. */
  get subjectName(): string | undefined {
    return typeof this.#admission === "object" ? this.#admission.name : undefined;
  }

  /**
   * Person for whom an administrator sends a request. The administrator's tool names this person in a header. Default: the
   * subject of the token.
   */
  get administrator(): string | undefined {
    return this.header(principalHeader) || this.subject;
  }

  /** Reason for the request, from the administrator's header. */
  get reason(): string | undefined {
    return this.header("x-keelson-reason")?.trim().slice(0, maxReason) || undefined;
  }

  admittedAs(admission: Admission): void {
    this.#admission = admission;
  }

  get method(): string {
    return this.#request.method;
  }

  /** Network address of the caller. */
  get peer(): string | undefined {
    return this.#request.ip;
  }

  /** Returns a parameter of the route's path. */
  parameter(name: keyof PathParameters): string {
    const value = this.parameters[name];
    if (value === undefined) throw new Error(`the route of ${this.path} has no parameter ${name}`);
    return value;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** True if the header `Prefer` contains this preference. Source: RFC 7240. */
  prefers(preference: string): boolean {
    const preferences = (this.header("prefer") ?? "").split(",");
    return preferences.some((each) => each.split(";", 1)[0]?.trim().toLowerCase() === preference);
  }

  /** Returns the first value of a query parameter. Undefined if the parameter is missing. */
  query(name: string): string | undefined {
    const query = this.#request.query;
    if (typeof query !== "object" || query === null) return undefined;
    const value: unknown = Reflect.get(query, name);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "string" ? first : undefined;
  }

  /** Returns the decoded segments of the path in the caller's spelling. */
  originalSegments(): readonly string[] {
    return originalSegments(this.#request.originalUrl);
  }

  /**
   * Parses the JSON body.
   * @throws InvalidResource, UnsupportedMediaType, InvalidRequestContent
   */
  json(): JsonValue {
    return this.read((body) => body);
  }

  /**
   * Parses the JSON body and converts it with `read`. Rejects strings that the database cannot store only after `read`, because
   * an error of `read` also names the invalid field.
   * @throws InvalidResource, UnsupportedMediaType, InvalidRequestContent
   */
  read<T>(read: (body: JsonValue) => T): T {
    const body = this.#parse();
    const result = read(body);
    checkTexts(body);
    return result;
  }

  /**
   * Returns the JSON body before its checks. Returns undefined if the body cannot be parsed. In that case, `json` and `read`
   * report the error.
   */
  tryJson(): JsonValue | undefined {
    try {
      return this.#parse();
    } catch {
      return undefined;
    }
  }

  #parse(): JsonValue {
    this.#parsed ??= parseJson(this.bodyBytes());
    return this.#parsed;
  }

  /**
   * Returns the unparsed body.
   * @throws InvalidResource, UnsupportedMediaType
   */
  bodyBytes(): Buffer {
    const body = requestBodyOf(this.#request);
    checkBody(body, this.header("content-type"));
    return body.bytes;
  }

  /**
   * Returns the creator and the modifier from Azure Resource Manager's header. Undefined if the header is missing or not JSON.
   */
  systemData(): SystemData | undefined {
    const systemData = parseSystemData(asUtf8(this.header("x-ms-arm-resource-system-data")));
    const values = Object.values(systemData ?? {});
    return values.every((value) => value.isWellFormed() && !value.includes("\0")) ? systemData : undefined;
  }

  /** Trace span of this request. Undefined if requests are not traced. */
  get span(): ActiveSpan | undefined {
    return this.#span;
  }

  traceWith(span: ActiveSpan | undefined): void {
    this.#span = span;
  }

  correlation(operationId: string): CorrelationData {
    const correlationId = this.header("x-ms-correlation-request-id");
    const clientRequestId = this.header("x-ms-client-request-id");
    const administrator = isAdminRequest(this) ? this.administrator : undefined;
    return {
      ...(correlationId ? { correlationId } : {}),
      ...(clientRequestId ? { clientRequestId } : {}),
      ...(administrator ? { clientPrincipalName: administrator } : {}),
      ...(this.#span ? { traceParent: this.#span.traceParent } : {}),
      requestId: this.requestId,
      operationId,
      requestTime: this.receivedAt.toISOString(),
    };
  }

  /**
   * Returns the URL that the user called, for links in responses. Azure Resource Manager sends this URL as `Referer`. If the
   * referer is not an http(s) URL, returns the URL of this request.
   */
  callerUrl(): URL {
    const referer = httpUrl(this.header("referer"));
    if (referer) return referer;
    const { host, originalUrl } = this.#request;
    const target = originalUrl.startsWith("/") ? originalUrl : `/${originalUrl}`;
    return (host && httpUrl(`https://${host}${target}`)) || new URL(defaultOrigin + target);
  }

  operationUrls(location: string, operationId: string): OperationUrls {
    const scope = {
      subscriptionId: this.parameter("subscriptionId"),
      namespace: providerNamespace,
      location,
    };
    return operationUrls(this.callerUrl(), scope, operationId);
  }

  get peerCertificates(): readonly Uint8Array[] {
    return peerCertificates(this.#request.raw.socket);
  }

  get peerVerified(): boolean {
    const { socket } = this.#request.raw;
    return socket instanceof TLSSocket && socket.authorized;
  }
}

function requestBodyOf(request: WebRequest): RequestBody {
  const body: unknown = request.body;
  return isRequestBody(body) ? body : { bytes: Buffer.alloc(0), tooLarge: false };
}

function isRequestBody(body: unknown): body is RequestBody {
  return typeof body === "object" && body !== null && "bytes" in body && "tooLarge" in body;
}

/** Parses an http(s) URL. Undefined for other strings. */
function httpUrl(text: string | undefined): URL | undefined {
  const url = text ? URL.parse(text) : undefined;
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url : undefined;
}

/** Decodes a header value as UTF-8. Node.js decodes header values as Latin-1, but the JSON in this header is encoded as UTF-8. */
function asUtf8(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, "latin1");
  return isUtf8(bytes) && bytes.toString("latin1") === value ? bytes.toString("utf8") : value;
}

const maxReason = 1_024;

const presented = new WeakMap<object, readonly Uint8Array[]>();
const none: readonly Uint8Array[] = [];
/** Maximum number of certificates in a chain. Longer chains are truncated. */
const maxPresented = 8;

/**
 * Returns the certificate chain of the peer, which begins with the peer's own certificate. All calls for one connection return
 * the same array.
 */
export function peerCertificates(socket: unknown): readonly Uint8Array[] {
  if (!(socket instanceof TLSSocket)) return none;
  const known = presented.get(socket);
  if (known) return known;
  const chain: Uint8Array[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate && chain.length < maxPresented) {
    chain.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  if (chain.length > 0) presented.set(socket, chain);
  return chain;
}

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

/** Assumed where a request names no host at all. Source: Azure/ARO-RP pkg/frontend/middleware/headers.go. */
const defaultOrigin = "https://localhost:8443";

/** Header by which tools of administrators name the person who uses them. */
export const principalHeader = "x-ms-client-principal-name";

export interface RequestContextOptions {
  readonly request: WebRequest;
  readonly parameters: PathParameters;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One request as a route sees it. Nothing is computed before it is asked for. */
export class RequestContext implements AuthorizationRequest {
  /** Answered as `X-Ms-Request-Id`. */
  readonly requestId = randomUUID();
  readonly parameters: PathParameters;
  readonly receivedAt: Date;
  /** When it came, on the clock that never goes back. */
  readonly startedMs: number;
  /** Ends the waits of this request. */
  readonly signal: AbortSignal;
  /** Normalised, without the query. */
  readonly path: string;
  /** As sent; empty when absent. Of several the first counts, for authorization and everything else. */
  readonly apiVersion: string;
  readonly #request: WebRequest;
  #version: ApiVersion | undefined;
  #gone: AbortController | undefined;
  #hasLeft = false;
  #failure: string | undefined;
  #span: ActiveSpan | undefined;
  #admission: Admission = false;

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

  /** The API version that the route's rule found. Only for routes that check the version. */
  get version(): ApiVersion {
    if (!this.#version) throw new Error(`the route of ${this.path} has no API version`);
    return this.#version;
  }

  useVersion(version: ApiVersion | undefined): void {
    this.#version = version;
  }

  /** Aborts when the caller is gone before the answer is. */
  get gone(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#hasLeft) this.left();
    return this.#gone.signal;
  }

  left(): void {
    this.#hasLeft = true;
    this.#gone?.abort(new Error("the caller has gone"));
  }

  /** The code of the error that was answered, for the audit line. */
  get failure(): string | undefined {
    return this.#failure;
  }

  failedWith(code: string): void {
    this.#failure = code;
  }

  /** Role of an administrator. Undefined for callers without roles. */
  get role(): string | undefined {
    const rights = rightsOf(this.#admission);
    return typeof rights === "string" ? rights : undefined;
  }

  /** True if an administrator has at least this role. */
  hasRole(needed: AdminRole): boolean {
    return hasRole(this.#admission, needed);
  }

  /** The authenticated caller: subject of its token or certificate. Undefined if callers are not verified. */
  get subject(): string | undefined {
    return typeof this.#admission === "object" ? this.#admission.subject : undefined;
  }

  /** User name of the authenticated caller, for display only. */
  get subjectName(): string | undefined {
    return typeof this.#admission === "object" ? this.#admission.name : undefined;
  }

  /** The person for whom an administrator's request is made: the one that its tool names, or its subject. */
  get administrator(): string | undefined {
    return this.header(principalHeader) || this.subject;
  }

  /** Reason that an administrator's request states. */
  get reason(): string | undefined {
    return this.header("x-keelson-reason")?.trim().slice(0, maxReason) || undefined;
  }

  admittedAs(admission: Admission): void {
    this.#admission = admission;
  }

  get method(): string {
    return this.#request.method;
  }

  /** The caller's address. */
  get peer(): string | undefined {
    return this.#request.ip;
  }

  /** A parameter that the route's path has. */
  parameter(name: keyof PathParameters): string {
    const value = this.parameters[name];
    if (value === undefined) throw new Error(`the route of ${this.path} has no parameter ${name}`);
    return value;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** True if the header `Prefer` has this preference. Source: RFC 7240. */
  prefers(preference: string): boolean {
    const preferences = (this.header("prefer") ?? "").split(",");
    return preferences.some((each) => each.split(";", 1)[0]?.trim().toLowerCase() === preference);
  }

  /** The first value of a query parameter. */
  query(name: string): string | undefined {
    const query = this.#request.query;
    if (typeof query !== "object" || query === null) return undefined;
    const value: unknown = Reflect.get(query, name);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "string" ? first : undefined;
  }

  /** The segments of the path in the caller's case, decoded. */
  originalSegments(): readonly string[] {
    return originalSegments(this.#request.originalUrl);
  }

  /** The JSON body. @throws InvalidResource, UnsupportedMediaType, InvalidRequestContent */
  json(): JsonValue {
    return this.read((body) => body);
  }

  /**
   * What `read` makes of the JSON body. Text that cannot be stored is refused after it: the rules of a field, which know its
   * name, come first. @throws InvalidResource, UnsupportedMediaType, InvalidRequestContent
   */
  read<T>(read: (body: JsonValue) => T): T {
    const body = parseJson(this.bodyBytes());
    const result = read(body);
    checkTexts(body);
    return result;
  }

  /** The body before parsing. @throws InvalidResource, UnsupportedMediaType */
  bodyBytes(): Buffer {
    const body = requestBodyOf(this.#request);
    checkBody(body, this.header("content-type"));
    return body.bytes;
  }

  /** Who calls and changes, as Azure Resource Manager says. `undefined` when it does not, or not in JSON. */
  systemData(): SystemData | undefined {
    const systemData = parseSystemData(asUtf8(this.header("x-ms-arm-resource-system-data")));
    const values = Object.values(systemData ?? {});
    return values.every((value) => value.isWellFormed() && !value.includes("\0")) ? systemData : undefined;
  }

  /** The span of this request, where requests are traced. */
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
   * The URL that the user called, which Azure Resource Manager passes as `Referer`: links in answers go
   * there. A referer that is no http(s) URL is ignored; then the URL of this request stands in.
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

/** Parses an http(s) URL. Returns undefined for other text. */
function httpUrl(text: string | undefined): URL | undefined {
  const url = text ? URL.parse(text) : undefined;
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url : undefined;
}

/** Node reads the bytes of header values as Latin-1; JSON in them is UTF-8. */
function asUtf8(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, "latin1");
  return isUtf8(bytes) && bytes.toString("latin1") === value ? bytes.toString("utf8") : value;
}

const maxReason = 1_024;

const presented = new WeakMap<object, readonly Uint8Array[]>();
const none: readonly Uint8Array[] = [];
/** Longer chains are cut: nobody follows them. */
const maxPresented = 8;

/** The certificates that the peer sent, its own first; the same array for one connection. */
function peerCertificates(socket: unknown): readonly Uint8Array[] {
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

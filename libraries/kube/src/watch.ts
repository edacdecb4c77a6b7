import { boundedText, isPlainObject, tryParseJson } from "@keelson/base";
import { isKubeObject, type KubeObject } from "./objects/kube-object.ts";
import type { BodyReader } from "./responses/bounded-body.ts";
import { JsonScanner } from "./responses/json-scanner.ts";
import { errorOfStatus, KubeError } from "./responses/kube-error.ts";

export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  /** All changes up to this version have been sent. With `initialEventsEnd`, all existing objects have been sent. */
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** Maximum size of one event in bytes. It is several times the maximum size of a stored object. */
const maxLineBytes = 16 * 1024 * 1024;
/**
 * Maximum size in bytes of an event that is not checked for its number of tokens. Such a small event cannot exceed the token
 * limit.
 */
const smallBytes = 64 * 1024;

/** Maximum number of JSON tokens in one event. */
export interface EventLimit {
  readonly tokens: number;
  readonly exceeded: () => KubeError;
}

/**
 * Events of a watch. The response body has one JSON object per line. The first `next` opens the body. The server should close the
 * watch before `limitMs`. If it does not, the watch ends at this time without an error. `next` throws KubeError for an ERROR
 * event or a malformed line.
 */
export class WatchEvents<T extends KubeObject> implements AsyncIterableIterator<WatchEvent<T>> {
  /** Opens the response body. Undefined after the first call. */
  #open: (() => Promise<BodyReader>) | undefined;
  readonly #path: string;
  readonly #limitMs: number;
  readonly #limit: EventLimit;
  #body: BodyReader | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Promise of a pending `next`. A process may have ten thousand pending calls, so this promise is the only state of a call. */
  #waiting: PromiseWithResolvers<IteratorResult<WatchEvent<T>, undefined>> | undefined;
  /** Bytes after the last complete line. */
  #rest: Buffer = nothing;
  /** Earlier chunks of the incomplete line. They are stored separately, so that each byte is scanned only once. */
  #begun: Buffer[] | undefined;
  #bytes = 0;

  constructor(open: () => Promise<BodyReader>, path: string, limitMs: number, limit: EventLimit) {
    this.#open = open;
    this.#path = path;
    this.#limitMs = limitMs;
    this.#limit = limit;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Returns the next event. Calls must not overlap. */
  next(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    this.#waiting = Promise.withResolvers();
    const { promise } = this.#waiting;
    const open = this.#open;
    this.#open = undefined;
    if (open && !this.#isOver) void this.#begin(open);
    else this.#advance();
    return promise;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#end();
    return over;
  }

  async #begin(open: () => Promise<BodyReader>): Promise<void> {
    try {
      const body = await open();
      this.#body = body;
      body.onChange = () => this.#advance();
      if (this.#isOver) body.close();
      else this.#timer = setTimeout(() => this.#end(), this.#limitMs).unref();
    } catch (error) {
      this.#fail(error);
    }
    this.#advance();
  }

  /** Resolves the pending `next` if an event is available. */
  #advance(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    try {
      const event = this.#isOver ? "ended" : this.#event();
      if (event === "nothing yet") return;
      if (event === "ended") this.#end();
      this.#waiting = undefined;
      waiting.resolve(event === "ended" ? over : { done: false, value: event });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#end();
    waiting?.reject(error);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#rest = nothing;
    this.#begun = undefined;
    clearTimeout(this.#timer);
    this.#body?.close();
    this.#advance();
  }

  #event(): WatchEvent<T> | "nothing yet" | "ended" {
    for (;;) {
      const line = this.#line();
      if (line !== undefined) return parseEvent(line, this.#path) as WatchEvent<T>;
      const chunk = this.#body?.read() ?? "nothing yet";
      if (typeof chunk === "string") return chunk;
      this.#rest = chunk;
    }
  }

  /** Returns the next complete line. Undefined if more bytes are needed. */
  #line(): string | undefined {
    for (;;) {
      const end = this.#rest.indexOf(newLine);
      if (end >= 0) {
        const last = this.#rest.subarray(0, end);
        const bytes = this.#begun ? Buffer.concat([...this.#begun, last]) : last;
        if (bytes.length > smallBytes && tokensOf(bytes) > this.#limit.tokens) throw this.#limit.exceeded();
        const line = bytes.toString();
        // If no bytes remain, the shared empty buffer is used. An empty subarray would retain the memory of the complete chunk.
        this.#rest = end + 1 === this.#rest.length ? nothing : this.#rest.subarray(end + 1);
        this.#begun = undefined;
        this.#bytes = 0;
        if (line !== "") return line;
        continue;
      }
      if (this.#rest.length > 0) {
        this.#begun ??= [];
        this.#begun.push(this.#rest);
        this.#bytes += this.#rest.length;
        this.#rest = nothing;
      }
      if (this.#bytes > maxLineBytes)
        throw new KubeError(
          0,
          "TooLarge",
          `the watch GET ${this.#path} sent an event of more than ${maxLineBytes} bytes`,
        );
      return undefined;
    }
  }
}

const over = { done: true, value: undefined } as const;
const newLine = 10;
const nothing = Buffer.alloc(0);

function tokensOf(line: Buffer): number {
  const scanner = new JsonScanner();
  scanner.scan(line);
  return scanner.tokens;
}

function parseEvent(line: string, path: string): WatchEvent {
  const event = tryParseJson(line);
  const object = isPlainObject(event) ? event.object : undefined;
  if (isPlainObject(event) && isPlainObject(object)) {
    switch (event.type) {
      case "ERROR":
        throw errorOfStatus(object, 500, `GET ${path}`);
      case "BOOKMARK":
        if (isPlainObject(object.metadata)) {
          const { annotations, resourceVersion } = object.metadata;
          const initialEventsEnd =
            isPlainObject(annotations) && annotations["k8s.io/initial-events-end"] === "true";
          return { type: "BOOKMARK", resourceVersion: String(resourceVersion), initialEventsEnd };
        }
        break;
      case "ADDED":
      case "MODIFIED":
      case "DELETED":
        if (isKubeObject(object)) return { type: event.type, object };
        break;
    }
  }
  throw new KubeError(
    0,
    "InvalidAnswer",
    `the watch GET ${path} sent a line that is not an event: ${boundedText(line, 200)}`,
  );
}

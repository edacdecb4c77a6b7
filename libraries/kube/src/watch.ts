import { boundedText, isPlainObject, tryParseJson } from "@keelson/base";
import { isKubeObject, type KubeObject } from "./objects/kube-object.ts";
import type { BodyReader } from "./responses/bounded-body.ts";
import { JsonScanner } from "./responses/json-scanner.ts";
import { errorOfStatus, KubeError } from "./responses/kube-error.ts";

export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  /** Nothing else changed up to this version. `initialEventsEnd`: everything that existed has been sent. */
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** Several times what an API server stores of one object. */
const maxLineBytes = 16 * 1024 * 1024;
/** An event up to this size has few tokens. */
const smallBytes = 64 * 1024;

/** Bound on the JSON tokens of one event. */
export interface EventLimit {
  readonly tokens: number;
  readonly exceeded: () => KubeError;
}

/**
 * The events of a watch's body: one JSON object per line. It begins with the first `next` and ends in good order after
 * `limitMs`, as the server was asked to end it before. `next` throws KubeError for an ERROR event or a broken line.
 */
export class WatchEvents<T extends KubeObject> implements AsyncIterableIterator<WatchEvent<T>> {
  /** Until it was called. */
  #open: (() => Promise<BodyReader>) | undefined;
  readonly #path: string;
  readonly #limitMs: number;
  readonly #limit: EventLimit;
  #body: BodyReader | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** The `next` that waits. A promise is all that it keeps: a process may have ten thousand of them. */
  #waiting: PromiseWithResolvers<IteratorResult<WatchEvent<T>, undefined>> | undefined;
  /** What came behind the last line that was read. */
  #rest: Buffer = nothing;
  /** Of a line that has not ended, what is not in `rest`: each byte is seen once, however the network cuts the lines. */
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

  /** One at a time. */
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

  /** Gives the `next` that waits what has come. */
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

  /** The next line of what was read; `undefined` when it has not come as a whole. */
  #line(): string | undefined {
    for (;;) {
      const end = this.#rest.indexOf(newLine);
      if (end >= 0) {
        const last = this.#rest.subarray(0, end);
        const bytes = this.#begun ? Buffer.concat([...this.#begun, last]) : last;
        if (bytes.length > smallBytes && tokensOf(bytes) > this.#limit.tokens) throw this.#limit.exceeded();
        const line = bytes.toString();
        // A part keeps the whole chunk that it is of.
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
    `the watch GET ${path} sent a line that is no event: ${boundedText(line, 200)}`,
  );
}

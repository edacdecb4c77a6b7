import { setImmediate } from "node:timers/promises";
import { threadCpuMs, valueAt } from "@keelson/base";
import type { BodyReader } from "./bounded-body.ts";
import type { ClusterResponses, ClusterState } from "./cluster-responses.ts";
import type { Fields } from "./fields.ts";
import type { Projection } from "./json-projection.ts";
import { JsonScanner } from "./json-scanner.ts";
import { KubeError } from "./kube-error.ts";
import { limitExceeded } from "./limit-exceeded.ts";
import { answerOf, type ProjectionAnswer, type ProjectionTask } from "./projection-task.ts";
import { defaultResponseLimits, type ResponseLimit, type ResponseLimits } from "./response-limits.ts";

/** Component of the service that reads clusters. */
export interface ReaderOptions {
  /** Label `reader` of the metric. */
  readonly name: string;
  /** Resource ID of the cluster, for the metric. Default: empty. */
  readonly resourceId?: string;
  readonly limits?: Partial<ResponseLimits>;
}

/** Fields that a reader needs of one response. */
export interface ResponseSelection {
  readonly fields: Fields;
  /**
   * Path of an array with elements that are parsed in several turns of the event loop. Default: the value is
   * parsed in one turn.
   */
  readonly items?: readonly string[];
  /** Limit on the elements of the selected array. Default: the limit `objects`. */
  readonly maxItems?: number;
  /** Limit on the bytes of the selected fields. Default: the limit `selectedBytes`. */
  readonly maxBytes?: number;
}

/** A parsed response, with the elements of the selected array apart: `value` has an empty array instead. */
export interface ParsedResponse {
  readonly value: unknown;
  readonly items: readonly unknown[];
  /** Bytes of the response. */
  readonly bytes: number;
  /** Bytes of the selected fields. */
  readonly selectedBytes: number;
}

/** Returns the value with its items in their place. */
export function wholeValue({ value, items }: ParsedResponse, path: readonly string[]): unknown {
  const place = valueAt(value, ...path);
  if (Array.isArray(place)) for (const item of items) place.push(item);
  return value;
}

/** Bytes of a response that have arrived and been counted. */
export interface CollectedResponse {
  readonly request: string;
  /** Emptied by the parser. */
  readonly chunks: Buffer[];
  readonly bytes: number;
  readonly tokens: number;
  readonly end: () => void;
}

/** A response up to this size is projected on the event loop in 0.3 ms. The round trip to a thread costs 0.1 ms. */
const smallBytes = 128 * 1024;

/** Reads the responses of one cluster for one client within its limits. */
export class ResponseReader {
  readonly limits: ResponseLimits;
  readonly #shared: ClusterResponses;
  readonly #state: ClusterState;
  readonly #reader: ReaderOptions;
  #totalBytes = 0;
  #totalTokens = 0;

  constructor(shared: ClusterResponses, server: string, reader: ReaderOptions) {
    this.#shared = shared;
    this.#reader = reader;
    this.#state = shared.stateOf(reader.resourceId ?? server, reader.name);
    this.limits = { ...defaultResponseLimits, ...reader.limits };
  }

  /** @throws KubeError TooLarge while the cluster cools down */
  admit(request: string): void {
    if (!this.#state.allowance.isCoolingDown) return;
    const { cpu } = this.limits;
    throw new KubeError(
      0,
      "TooLarge",
      `${request} was not sent: responses of the cluster took more than ${cpu} ms of CPU time, or exceeded limits too often`,
      { limit: "cpu" },
    );
  }

  /** Reads a body, counting its tokens while it arrives. @throws KubeError TooLarge, without reading the rest */
  async collect(body: BodyReader, request: string): Promise<CollectedResponse> {
    const scanner = new JsonScanner();
    const chunks: Buffer[] = [];
    let bytes = 0;
    let tokens = 0;
    let cpuMs = 0;
    let end: (() => void) | undefined;
    try {
      for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) {
        const startedMs = threadCpuMs();
        chunks.push(chunk);
        scanner.scan(chunk);
        cpuMs += threadCpuMs() - startedMs;
        bytes += chunk.length;
        this.#totalBytes += chunk.length;
        this.#totalTokens += scanner.tokens - tokens;
        tokens = scanner.tokens;
        this.#check(request, "bytes", bytes);
        this.#check(request, "tokens", tokens);
        this.#check(request, "depth", scanner.maxDepth);
        this.#check(request, "totalBytes", this.#totalBytes);
        this.#check(request, "totalTokens", this.#totalTokens);
        if (bytes > smallBytes) end ??= await this.#shared.beginLarge(this.#state);
      }
    } catch (error) {
      end?.();
      throw error;
    } finally {
      body.close();
      this.#spend(cpuMs);
    }
    return { request, chunks, bytes, tokens, end: end ?? (() => {}) };
  }

  /** Reads a body without a use to its end. @throws KubeError TooLarge */
  async discard(body: BodyReader, request: string): Promise<void> {
    let bytes = 0;
    try {
      for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) {
        bytes += chunk.length;
        this.#check(request, "bytes", bytes);
      }
    } finally {
      body.close();
    }
  }

  /** @throws KubeError TooLarge, InvalidAnswer; the signal's reason */
  async parse(
    response: CollectedResponse,
    {
      fields,
      items,
      maxItems = this.limits.objects,
      maxBytes = this.limits.selectedBytes,
    }: ResponseSelection,
    signal: AbortSignal,
  ): Promise<ParsedResponse> {
    const { request, chunks, bytes, end } = response;
    try {
      signal.throwIfAborted();
      if (fields === true && items === undefined) return { ...(await this.#whole(response, signal)), bytes };
      const limits = { keptBytes: maxBytes, keptTokens: this.limits.objectTokens };
      const task: ProjectionTask = {
        bytes: joined(chunks, bytes),
        request: { fields, limits, ...(items === undefined ? {} : { items }) },
      };
      const projection = await this.#project(task, request);
      signal.throwIfAborted();
      const built = await this.#build(projection, request, signal);
      if (built.items.length > maxItems) throw this.exceeded(request, "objects", maxItems);
      return { ...built, bytes };
    } finally {
      end();
    }
  }

  /** Reports an exceeded limit and returns its error. */
  exceeded(request: string, limit: ResponseLimit, bound?: number): KubeError {
    this.#report(limit);
    this.#spend(this.limits.cpu / this.limits.violations);
    return limitExceeded(request, limit, bound ?? (limit === "memory" ? undefined : this.limits[limit]));
  }

  #report(limit: ResponseLimit): void {
    const { name, resourceId = "" } = this.#reader;
    this.#shared.report(resourceId, name, limit);
  }

  /** Parses a small response without projection. */
  #whole(
    { request, chunks, bytes, tokens }: CollectedResponse,
    signal: AbortSignal,
  ): Promise<Omit<ParsedResponse, "bytes">> {
    this.#check(request, "objectTokens", tokens);
    const head = Buffer.concat(chunks, bytes).toString();
    return this.#build({ head, bytes: new Uint8Array(), batches: [] }, request, signal);
  }

  async #project(task: ProjectionTask, request: string): Promise<Projection> {
    const answer = await (task.bytes.length <= smallBytes
      ? this.#measured(() => answerOf(task))
      : this.#inThread(task, request));
    switch (answer.kind) {
      case "done":
        return answer.projection;
      case "exceeded":
        throw this.exceeded(request, answer.limit === "keptBytes" ? "selectedBytes" : "objectTokens");
      case "invalid":
        throw invalid(request, answer.reason);
    }
  }

  async #inThread(task: ProjectionTask, request: string): Promise<ProjectionAnswer> {
    const outcome = await this.#shared.project(this.#state, task);
    this.#spend(outcome.cpuMs);
    if (outcome.kind === "reply") return outcome.reply;
    throw this.exceeded(request, outcome.limit === "memory" ? "memory" : "cpu");
  }

  /** Builds the objects of a projection, one batch in a turn of the event loop. */
  async #build(
    { head, bytes, batches }: Projection,
    request: string,
    signal: AbortSignal,
  ): Promise<Omit<ParsedResponse, "bytes">> {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const parse = (json: string): unknown => {
      try {
        return this.#measured(() => JSON.parse(json));
      } catch (cause) {
        throw invalid(request, "it is not JSON", cause);
      }
    };
    const value = parse(head);
    const items: unknown[] = [];
    let kept = head.length;
    for (const [start, end] of batches) {
      if (kept > head.length) await setImmediate(undefined, { signal });
      kept += end - start;
      const batch = parse(`[${text.toString("utf8", start, end)}]`);
      if (Array.isArray(batch)) for (const item of batch) items.push(item);
    }
    return { value, items, selectedBytes: kept };
  }

  #measured<T>(work: () => T): T {
    const startedMs = threadCpuMs();
    try {
      return work();
    } finally {
      this.#spend(threadCpuMs() - startedMs);
    }
  }

  #spend(ms: number): void {
    if (!this.#state.allowance.spend(ms, this.limits.cpu)) this.#report("cpu");
  }

  #check(request: string, limit: keyof ResponseLimits, value: number): void {
    if (value > this.limits[limit]) throw this.exceeded(request, limit);
  }
}

/** Joins the chunks into one buffer that can be transferred to a thread. */
function joined(chunks: Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks.splice(0)) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function invalid(request: string, reason: string, cause?: unknown): KubeError {
  const message = `${request} returned invalid JSON: ${reason}`;
  return new KubeError(0, "InvalidAnswer", message, cause === undefined ? {} : { cause });
}

import { setImmediate } from "node:timers/promises";
import { threadCpuMs, valueAt } from "@keelson/base";
import type { BodyReader } from "./bounded-body.ts";
import type { ClusterResponses, ClusterState } from "./cluster-responses.ts";
import type { Fields } from "./fields.ts";
import type { Projection, ProjectionRequest } from "./json-projection.ts";
import { JsonScanner } from "./json-scanner.ts";
import { KubeError } from "./kube-error.ts";
import { limitExceeded } from "./limit-exceeded.ts";
import { type ProjectionResponse, type ProjectionTask, responseOf } from "./projection-task.ts";
import { defaultResponseLimits, type ResponseLimit, type ResponseLimits } from "./response-limits.ts";

/** Identifies the component that reads responses, and the cluster that it reads. */
export interface ReaderOptions {
  /** Value of the metric label `reader`. */
  readonly name: string;
  /** Resource ID of the cluster for the metric. Default: empty. */
  readonly resourceId?: string;
  readonly limits?: Partial<ResponseLimits>;
}

/** Fields of one response that a reader needs. */
export interface ResponseSelection {
  readonly fields: Fields;
  /**
   * Path of a large array. The elements of this array are parsed over several event loop iterations. Default: one iteration
   * parses the complete value.
   */
  readonly items?: readonly string[];
  /** Maximum number of elements in the selected array. Default: the limit `objects`. */
  readonly maxItems?: number;
  /** Maximum size of the selected fields in bytes. Default: the limit `selectedBytes`. */
  readonly maxBytes?: number;
}

/** Parsed response. The elements of the selected array are separate, and the array in `value` is empty. */
export interface ParsedResponse {
  readonly value: unknown;
  readonly items: readonly unknown[];
  /** Size of the response in bytes. */
  readonly bytes: number;
  /** Size of the selected fields in bytes. */
  readonly selectedBytes: number;
}

/** Returns the value with the items inserted at their path. */
export function wholeValue({ value, items }: ParsedResponse, path: readonly string[]): unknown {
  const place = valueAt(value, ...path);
  if (Array.isArray(place)) for (const item of items) place.push(item);
  return value;
}

/** Received response body with its counted size. */
export interface CollectedResponse {
  readonly request: string;
  /** Chunks of the body. The parser empties this array. */
  readonly chunks: Buffer[];
  readonly bytes: number;
  readonly tokens: number;
  readonly end: () => void;
}

/**
 * Maximum size in bytes of a response that is projected on the event loop. The projection takes up to 0.6 ms. The transfer to a
 * thread takes 0.1 ms, and the switch between the threads takes longer than the transfer.
 */
const smallBytes = 256 * 1024;
/** Memory for projections on the event loop. A projection runs without interruption, so all readers can share this memory. */
let scratch: Uint8Array<ArrayBuffer> | undefined;

/** Reads the responses of one cluster for one client. It enforces the limits. */
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

  /**
   * Checks that the cluster may be read.
   * @throws KubeError TooLarge during the cluster's cool-down
   */
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

  /** Reads a body and counts its tokens. @throws KubeError TooLarge if a limit is exceeded, without reading the rest */
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

  /** Reads and discards a body. @throws KubeError TooLarge if the body exceeds a limit */
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

  /** @throws KubeError TooLarge or InvalidAnswer, or the signal's reason */
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
      const selection = { fields, limits, ...(items === undefined ? {} : { items }) };
      const projection = this.#projectionIn(
        bytes <= smallBytes
          ? this.#measured(() => projectSmall(chunks, bytes, selection))
          : await this.#inThread(
              { bytes: joined(chunks, new Uint8Array(bytes)), request: selection },
              request,
            ),
        request,
      );
      signal.throwIfAborted();
      const built = await this.#build(projection, request, signal);
      if (built.items.length > maxItems) throw this.exceeded(request, "objects", maxItems);
      return { ...built, bytes };
    } finally {
      end();
    }
  }

  /** Reports an exceeded limit and returns the error for it. */
  exceeded(request: string, limit: ResponseLimit, bound?: number): KubeError {
    this.#report(limit);
    // With the divisor `violations`, the permitted violations alone would use up the allowance. The responses also use CPU time,
    // so the divisor is greater by 0.5.
    this.#spend(this.limits.cpu / (this.limits.violations + 0.5));
    return limitExceeded(request, limit, bound ?? (limit === "memory" ? undefined : this.limits[limit]));
  }

  #report(limit: ResponseLimit): void {
    const { name, resourceId = "" } = this.#reader;
    this.#shared.report(resourceId, name, limit);
  }

  /** Parses a small response as a whole, without projection. */
  #whole(
    { request, chunks, bytes, tokens }: CollectedResponse,
    signal: AbortSignal,
  ): Promise<Omit<ParsedResponse, "bytes">> {
    this.#check(request, "objectTokens", tokens);
    const head = Buffer.concat(chunks, bytes).toString();
    return this.#build({ head, bytes: new Uint8Array(), batches: [] }, request, signal);
  }

  #projectionIn(answer: ProjectionResponse, request: string): Projection {
    switch (answer.kind) {
      case "done":
        return answer.projection;
      case "exceeded":
        throw this.exceeded(request, answer.limit === "keptBytes" ? "selectedBytes" : "objectTokens");
      case "invalid":
        throw invalid(request, answer.reason);
    }
  }

  async #inThread(task: ProjectionTask, request: string): Promise<ProjectionResponse> {
    const outcome = await this.#shared.project(this.#state, task);
    this.#spend(outcome.cpuMs);
    if (outcome.kind === "reply") return outcome.reply.response;
    throw this.exceeded(request, outcome.limit === "memory" ? "memory" : "cpu");
  }

  /** Builds the objects of a projection. Each event loop iteration builds one batch. */
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

/** Projects a small response. Only the selected fields need new memory. */
function projectSmall(chunks: Buffer[], length: number, request: ProjectionRequest): ProjectionResponse {
  scratch ??= new Uint8Array(smallBytes);
  const response = responseOf({ bytes: joined(chunks, scratch.subarray(0, length)), request });
  if (response.kind !== "done") return response;
  const { bytes, ...rest } = response.projection;
  const kept = rest.batches.at(-1)?.[1] ?? 0;
  return { kind: "done", projection: { ...rest, bytes: bytes.slice(0, kept) } };
}

/** Copies the chunks into one buffer. */
function joined(chunks: Buffer[], bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
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

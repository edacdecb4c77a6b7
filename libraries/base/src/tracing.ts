import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { messageOf } from "./errors.ts";

export interface SpanOptions {
  readonly kind?: "server" | "client" | "internal";
  readonly attributes?: Attributes;
  /** W3C Trace Context `traceparent` of the parent span. Default: the active span. An invalid value is ignored. */
  readonly parent?: string | undefined;
}

/** Started span. Call `end()` to complete it. */
export interface ActiveSpan {
  /** W3C Trace Context `traceparent` of this span. */
  readonly traceParent: string;
  /** Runs `work`. All spans that `work` starts are children of this span, also those that start after `run` has returned. */
  run<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** Ends the span. With an `error`, the span is marked as failed. */
  end(error?: unknown): void;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** Creates the trace spans of one process with an OpenTelemetry tracer. Without a tracer, creates no spans. */
export class Tracing {
  readonly #tracer: Tracer | undefined;
  readonly #active = new AsyncLocalStorage<Context>();

  constructor(tracer?: Tracer) {
    this.#tracer = tracer;
  }

  /** True if there is a tracer. Without a tracer, callers can skip the collection of span attributes. */
  get enabled(): boolean {
    return this.#tracer !== undefined;
  }

  /** Starts a span. Returns `undefined` without a tracer. */
  start(
    name: string,
    { kind = "internal", attributes = {}, parent }: SpanOptions = {},
  ): ActiveSpan | undefined {
    if (!this.#tracer) return undefined;
    const remote = parent === undefined ? undefined : parseTraceParent(parent);
    const context = remote
      ? trace.setSpanContext(ROOT_CONTEXT, remote)
      : (this.#active.getStore() ?? ROOT_CONTEXT);
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    const inside = trace.setSpan(context, span);
    return {
      traceParent: traceParentOf(span.spanContext()),
      run: (work) => this.#active.run(inside, work),
      set: (more) => void span.setAttributes(more),
      end: (error) => end(span, error),
    };
  }

  /** Runs `work` in a new span. */
  async span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const span = this.start(name, options);
    if (!span) return work();
    try {
      const result = await span.run(work);
      span.end();
      return result;
    } catch (error) {
      span.end(error);
      throw error;
    }
  }

  /** `traceparent` of the active span. */
  get traceParent(): string | undefined {
    const context = this.#active.getStore();
    const span = context && trace.getSpanContext(context);
    return span && isSpanContextValid(span) ? traceParentOf(span) : undefined;
  }
}

function end(span: Span, error: unknown): void {
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
  span.end();
}

function traceParentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** Source: https://www.w3.org/TR/trace-context/#traceparent-header */
function parseTraceParent(text: string): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] =
    // Version 00 has exactly four fields. Later versions of the format may have additional fields.
    /^(?!ff|00.{53}.)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(text) ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

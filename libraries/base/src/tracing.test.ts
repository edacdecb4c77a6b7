import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Context,
  type Span,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { Tracing } from "./tracing.ts";

interface Recorded {
  readonly name: string;
  readonly parent: string | undefined;
  readonly options: SpanOptions | undefined;
  readonly id: string;
  ended: boolean;
  failure: string | undefined;
}

/** Creates a tracer that records its calls. */
function recordingTracer(): { readonly tracer: Tracer; readonly spans: Recorded[] } {
  const spans: Recorded[] = [];
  const startSpan = (name: string, options?: SpanOptions, context?: Context): Span => {
    const parent = context && trace.getSpanContext(context);
    const id = `${spans.length + 1}`.padStart(16, "0");
    const recorded: Recorded = {
      name,
      parent: parent?.spanId,
      options,
      id,
      ended: false,
      failure: undefined,
    };
    spans.push(recorded);
    const traceId = parent?.traceId ?? "1".repeat(32);
    const span = trace.wrapSpanContext({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
    span.end = () => {
      recorded.ended = true;
    };
    span.setStatus = (status) => {
      recorded.failure = status.message;
      return span;
    };
    return span;
  };
  const tracer: Tracer = {
    startSpan,
    startActiveSpan: () => {
      throw new Error("not used");
    },
  };
  return { tracer, spans };
}

test("nested spans are children, also after awaits", async () => {
  const { tracer, spans } = recordingTracer();
  const tracing = new Tracing(tracer);
  await tracing.span("operation", {}, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([tracing.span("a", {}, async () => 1), tracing.span("b", {}, async () => 2)]);
  });
  assert.deepEqual(
    spans.map(({ name, parent, ended }) => [name, parent, ended]),
    [
      ["operation", undefined, true],
      ["a", spans[0]?.id, true],
      ["b", spans[0]?.id, true],
    ],
  );
});

test("a trace continues from the header of a different process", async () => {
  const { tracer, spans } = recordingTracer();
  const tracing = new Tracing(tracer);
  const parent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  await tracing.span("request", { kind: "server", parent }, async () => {
    assert.equal(tracing.traceParent, `00-${"a".repeat(32)}-${spans[0]?.id}-01`);
  });
  assert.equal(spans[0]?.parent, "b".repeat(16));
  assert.equal(tracing.traceParent, undefined);
});

for (const parent of [
  "",
  "x",
  `ff-${"a".repeat(32)}-${"b".repeat(16)}-01`,
  `00-${"0".repeat(32)}-${"b".repeat(16)}-01`,
  `00-${"a".repeat(32)}-${"b".repeat(16)}-01-more`,
]) {
  test(`'${parent}' is no header of a trace`, async () => {
    const { tracer, spans } = recordingTracer();
    await new Tracing(tracer).span("request", { parent }, async () => undefined);
    assert.equal(spans[0]?.parent, undefined);
  });
}

test("a failed span has an error status, and the error is rethrown", async () => {
  const { tracer, spans } = recordingTracer();
  const failing = new Tracing(tracer).span("step", {}, () => Promise.reject(new Error("boom")));
  await assert.rejects(failing, /boom/);
  assert.deepEqual([spans[0]?.failure, spans[0]?.ended], ["boom", true]);
});

test("without a tracer there are no spans", async () => {
  const tracing = new Tracing();
  assert.equal(tracing.start("x"), undefined);
  assert.equal(await tracing.span("x", {}, async () => tracing.traceParent), undefined);
});

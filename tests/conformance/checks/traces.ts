import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Check } from "../support/check.ts";
import type { CollectedSpan } from "../support/trace-collector.ts";

/** Checks of traces. A trace begins with an ARM or admin API request and contains the resulting Azure requests. */
export const traceChecks: readonly Check[] = [
  {
    id: "traces 1",
    what: "a request, its operation, the operation's steps and their calls of Azure are one trace",
    async run(service) {
      const traceId = "0af7651916cd43dd8448eb211c80319c";
      const caller = "b7ad6b7169203331";
      const response = await service.arm.patch(
        service.cluster("main"),
        {},
        {
          traceparent: `00-${traceId}-${caller}-01`,
        },
      );
      assert.equal(response.status, 200, response.text);
      await service.settle(response);
      const deadline = performance.now() + 30_000;
      for (;;) {
        const spans = service.spans.filter((span) => span.traceId === traceId);
        const fault = faultOf(spans, caller);
        if (fault === undefined) return;
        assert.ok(performance.now() < deadline, `${fault}: ${spans.map(({ name }) => name).join(", ")}`);
        await delay(250);
      }
    },
  },
];

/** Returns a description of the missing part of a trace. Undefined if the trace is complete. */
function faultOf(spans: readonly CollectedSpan[], caller: string): string | undefined {
  const request = spans.find(({ name }) => name.startsWith("PATCH /subscriptions/"));
  if (request?.parentSpanId !== caller) return "no request below the caller's span";
  const operation = spans.find(({ name }) => name === "operation Updating");
  if (operation?.parentSpanId !== request.spanId) return "no operation below the request";
  const steps = spans.filter(({ parentSpanId }) => parentSpanId === operation.spanId);
  if (steps.length < 5) return "too few steps below the operation";
  const stepIds = new Set(steps.map(({ spanId }) => spanId));
  const calls = spans.filter(
    ({ name, parentSpanId }) => /^GET localhost/.test(name) && stepIds.has(parentSpanId ?? ""),
  );
  return calls.length === 0 ? "no call of Azure below a step" : undefined;
}

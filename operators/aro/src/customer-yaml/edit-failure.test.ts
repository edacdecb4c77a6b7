import assert from "node:assert/strict";
import { test } from "node:test";
import { TerminalError } from "@keelson/controller";
import { editCustomerYaml } from "./edit-customer-yaml.ts";
import { editFailure } from "./edit-failure.ts";

const comment = "# a customer's\n".repeat(200);
const limits = { bytes: 100_000, cpuMs: 5_000, memoryMb: 64 };

for (const { title, text, limit = {}, isTerminal } of [
  { title: "short text that is not a mapping", text: "- a\n", isTerminal: true },
  { title: "long text that is not a mapping", text: `${comment}- a\n`, isTerminal: true },
  { title: "text with a syntax error", text: "a: [b", isTerminal: true },
  { title: "text that is too long", text: comment, limit: { bytes: 1_000 }, isTerminal: true },
  { title: "a thread beyond its time", text: comment, limit: { cpuMs: 1 }, isTerminal: false },
])
  test(`${title} is ${isTerminal ? "not retried" : "retried"}`, async () => {
    const failure = await editCustomerYaml("withWebhooks", text, AbortSignal.timeout(900_000), {
      ...limits,
      ...limit,
    }).then(
      () => assert.fail("the edit succeeded"),
      (error) => editFailure("config.yaml in ConfigMap a/b", error),
    );
    assert.match(failure.message, /^config\.yaml in ConfigMap a\/b (?:is|takes) /);
    assert.equal(failure instanceof TerminalError, isTerminal);
  });

import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { inspect } from "node:util";
import { createLogger } from "./log.ts";
import { Secret } from "./secret.ts";

const text = "correct horse battery staple";
const secret = new Secret(text);

for (const [way, printed] of [
  ["JSON", JSON.stringify({ secret })],
  ["a template", `${secret}`],
  ["inspect", inspect({ deep: { secret } })],
  ["an error", String(new Error("failed", { cause: secret }).cause)],
] as const) {
  test(`a secret does not show in ${way}`, () => {
    assert.ok(!printed.includes(text));
    assert.ok(printed.includes("[REDACTED]"));
  });
}

test("a secret reveals itself only when asked", () => {
  assert.equal(secret.reveal(), text);
  assert.ok(secret.equals(new Secret(text)));
});

test("a log line hides secrets, and fields with secret names", () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger({ level: "info", destination });
  logger.info(
    { secret, request: { headers: { authorization: text } }, kubeconfig: text, a: { password: text } },
    "sent",
  );
  assert.equal(lines.length, 1);
  assert.ok(!lines[0]?.includes(text), lines[0]);
});

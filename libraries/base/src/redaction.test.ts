import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { createLogger } from "./log.ts";
import { redact } from "./redaction.ts";

const text = "correct horse battery staple";

class Credentials {
  readonly user = "me";
  readonly password = text;
}

const lines = [
  { name: "a field", line: { password: text } },
  { name: "a nested field", line: { request: { authorization: text } } },
  { name: "a header", line: { request: { headers: { authorization: text } } } },
  { name: "an element of a list", line: { users: [{ token: text }] } },
  { name: "a field with an object", line: { kubeconfig: { users: [text] } } },
  { name: "an instance of a class", line: { credentials: new Credentials() } },
  { name: "an error", line: { err: Object.assign(new Error("refused"), { client_secret: text }) } },
];
for (const { name, line } of lines) {
  test(`is hidden in a line and in a logger's own fields: ${name}`, () => {
    const written: string[] = [];
    const destination = new Writable({
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        done();
      },
    });
    const logger = createLogger({ level: "info", destination });
    logger.info(line, "said");
    logger.child(line).info("said");
    logger.child({ a: 1 }).child(line).info({ b: 1 }, "said");
    assert.equal(written.length, 3);
    for (const each of written) {
      assert.ok(!each.includes(text), each);
      assert.ok(each.includes("[REDACTED]"), each);
    }
  });
}

test("what holds no secret is left as it is, and never changed", () => {
  const harmless = { a: { b: [1, { c: null }] }, at: new Date(0), none: undefined };
  assert.equal(redact(harmless), harmless);
  const line = { a: { password: text, user: "me" }, b: { c: 1 } };
  assert.deepEqual(redact(line), { a: { password: "[REDACTED]", user: "me" }, b: { c: 1 } });
  assert.equal(line.a.password, text);
});

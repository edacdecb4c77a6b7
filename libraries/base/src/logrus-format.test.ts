import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "./log.ts";
import { logrusLine } from "./logrus-format.ts";

const time = "2026-11-29T15:48:01.123Z";

for (const [title, entry, line] of [
  [
    "level, message and sorted fields",
    { level: "info", time, msg: "running", object: "a/b", controller: "Banner" },
    'time="2026-11-29T15:48:01Z" level=info msg=running controller=Banner object=a/b',
  ],
  [
    "quotes where needed, and warning for warn",
    { level: "warn", time, msg: 'a "b"\nc', empty: "", count: 3, ok: true },
    'time="2026-11-29T15:48:01Z" level=warning msg="a \\"b\\"\\nc" count=3 empty= ok=true',
  ],
  [
    "objects as JSON, and names that clash",
    { level: "error", time, msg: "failed", file: "x", err: { code: 1 }, list: ["a"] },
    'time="2026-11-29T15:48:01Z" level=error msg=failed err="{\\"code\\":1}" fields.file=x list="[\\"a\\"]"',
  ],
] as const)
  test(`a log line of logrus has ${title}`, () =>
    assert.equal(logrusLine(`${JSON.stringify(entry)}\n`), `${line}\n`));

test("a logger writes this format, with secrets redacted and no control characters", () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: "info", format: "logrus", destination }).child({ controller: "Node" });
  logger.error({ password: "geheim", name: "a\u009bb" }, "it failed");
  assert.match(lines[0] ?? "", /^time="[^"]+" level=error msg="it failed" controller=Node /);
  assert.doesNotMatch(lines[0] ?? "", /geheim|\u009b/);
  assert.match(lines[0] ?? "", /\n$/);
});

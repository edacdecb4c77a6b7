import assert from "node:assert/strict";
import { test } from "node:test";
import { requireOptions } from "./require-options.ts";

interface Options {
  readonly host: string;
  readonly port: number;
  readonly path?: string;
}

test("requireOptions names all missing options", () => {
  const options: Options = JSON.parse('{"path":"x"}');
  assert.throws(() => requireOptions("start", options, ["host", "port"]), {
    code: "OptionMissing",
    message: 'start failed: missing options "host", "port". Set them in the argument of start.',
  });
});

test("requireOptions names a single missing option", () => {
  const options: Options = JSON.parse('{"host":"localhost"}');
  assert.throws(
    () => requireOptions("start", options, ["host", "port"]),
    /missing option "port"\. Set it in/,
  );
});

test("requireOptions accepts complete options, including 0 and empty strings", () => {
  requireOptions<Options>("start", { host: "", port: 0 }, ["host", "port"]);
});

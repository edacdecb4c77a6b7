import assert from "node:assert/strict";
import { test } from "node:test";
import { type Options, parseOptions, UsageError } from "./options.ts";

const valid: readonly [args: readonly string[], options: Options][] = [
  [[], { mode: "check", base: undefined }],
  [["--base", "origin/main"], { mode: "check", base: "origin/main" }],
  [["--base=v1"], { mode: "check", base: "v1" }],
  [["--list"], { mode: "list", path: undefined }],
  [["--list", "docs"], { mode: "list", path: "docs" }],
  [["--report", "docs"], { mode: "report", path: "docs" }],
  [["--help"], { mode: "help" }],
];
for (const [args, options] of valid) {
  test(`options are parsed: ${args.join(" ")}`, () => {
    assert.deepEqual(parseOptions(args), options);
  });
}

const invalid: readonly [args: readonly string[], message: RegExp][] = [
  [
    ["--nope"],
    /unknown option "--nope"\. Use --base REF, .* for example node scripts\/check-language\.ts --base/,
  ],
  [["-x"], /unknown option "-x"/],
  [["--list=yes"], /unknown option "--list=yes"/],
  [["--base"], /--base has no value/],
  [["--base", "--list"], /--base has no value/],
  [["--base="], /--base has no value/],
  [["docs"], /unexpected argument "docs"/],
  [["--list", "docs", "api"], /unexpected argument "api"/],
  [["--list", "--report"], /--list excludes --report/],
  [["--list", "--base", "main"], /--base "main" has no effect with --list/],
];
for (const [args, message] of invalid) {
  test(`options are refused: ${args.join(" ")}`, () => {
    assert.throws(() => parseOptions(args), message);
    assert.throws(() => parseOptions(args), UsageError);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { describeOptions, parseCommandOptions } from "./command-options.ts";

const options = {
  rows: { value: "FILE", help: "receives the rows", initial: "rows.jsonl" },
  minutes: { value: "N", help: "duration", least: 1, initial: "15" },
  only: { value: "TEXT", help: "one kind", initial: "" },
};

test("options have their defaults or the values of the command line", () => {
  assert.deepEqual(parseCommandOptions(options, ["--minutes", "2.5"]), {
    values: { rows: "rows.jsonl", minutes: "2.5", only: "" },
  });
});

test("a problem has the option, its value and the allowed form", () => {
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [["--minutes", "ten"], /^--minutes N is a number of at least 1, not "ten"\.$/],
    [["--minutes", "0"], /not "0"/],
    [["--minutes="], /not ""/],
    [["--hours", "1"], /--hours/],
    [["more"], /more/],
  ];
  for (const [args, pattern] of rows) {
    const parsed = parseCommandOptions(options, args);
    assert.match("problem" in parsed ? parsed.problem : "", pattern);
  }
});

test("the description lists each option with its default", () => {
  assert.deepEqual(describeOptions(options), [
    "--rows FILE          receives the rows (default: rows.jsonl)",
    "--minutes N          duration (default: 15)",
    "--only TEXT          one kind",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBenchCommand } from "./options.ts";

const parts = {
  quick: { help: "what is quick" },
  slow: {
    help: "what is slow",
    onlyWhenNamed: true,
    options: {
      seconds: { value: "N", help: "for each", least: 0, initial: "10" },
      only: { value: "TEXT", help: "those named so", initial: "" },
    },
  },
};

test("help names every part and its options", () => {
  for (const args of [["--help"], ["slow", "--help"], ["slow", "--seconds", "3", "-h"]]) {
    const command = parseBenchCommand(parts, args);
    assert.equal(command.kind, "help");
    assert.match(
      command.kind === "help" ? command.text : "",
      /slow +what is slow \(runs only if named\)\n +--seconds N +for each \(default: 10\)/,
    );
  }
});

test("errors name the invalid argument and refer to the help", () => {
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [["other"], /^There is no part "other"\. `node bench\/main\.ts --help`/],
    [["slow", "--minuts", "3"], /--minuts/],
    [["quick", "--seconds", "3"], /--seconds/],
    [["--seconds", "3"], /--seconds/],
    [["slow", "--seconds"], /--seconds/],
    [["slow", "--seconds", "ten"], /^--seconds N is a number of at least 0, not "ten"\. /],
    [["slow", "--seconds="], /^--seconds N is a number/],
    [["slow", "more", "--only", "a"], /"more"/],
  ];
  for (const [args, text] of rows) {
    const command = parseBenchCommand(parts, args);
    assert.equal(command.kind, "wrong", args.join(" "));
    assert.match(command.kind === "wrong" ? command.text : "", text);
  }
});

test("parts and options are read; long parts run only when they are named", () => {
  assert.deepEqual(parseBenchCommand(parts, []), { kind: "run", parts: ["quick"], values: { json: "" } });
  assert.deepEqual(parseBenchCommand(parts, ["slow", "--seconds", "0", "--only=a b"]), {
    kind: "run",
    parts: ["slow"],
    values: { json: "", seconds: "0", only: "a b" },
  });
  assert.deepEqual(parseBenchCommand(parts, ["--json", "out.json"]), {
    kind: "run",
    parts: ["quick"],
    values: { json: "out.json" },
  });
});

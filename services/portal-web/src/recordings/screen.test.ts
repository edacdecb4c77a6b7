import assert from "node:assert/strict";
import { test } from "node:test";
import type { CastEvent } from "./cast.ts";
import { Screen } from "./screen.ts";

const screenOf = (...events: readonly (readonly [number, string, CastEvent["kind"]?])[]) =>
  new Screen({
    columns: 20,
    rows: 3,
    events: events.map(([seconds, data, kind = "o"]) => ({ seconds, kind, data })),
    seconds: events.at(-1)?.[0] ?? 0,
  });

test("the screen has the output until then, forwards and backwards", async () => {
  const screen = screenOf([0, "$ "], [1, "echo a\r\n"], [2, "a\r\n$ "]);
  assert.deepEqual(await screen.linesAt(0.5), ["$ "]);
  assert.deepEqual(await screen.linesAt(2), ["$ echo a", "a", "$ "]);
  assert.deepEqual(await screen.linesAt(1), ["$ echo a"]);
  assert.deepEqual(await screen.linesAt(-1), []);
  screen.dispose();
});

test("control sequences have their effect in a terminal, and are not text", async () => {
  const screen = screenOf(
    [0, "\u001b[31mred\u001b[0m\r\nwrong\u001b[2K\rright\r\n"],
    [1, "\u001b]0;title\u0007<b>kept as text</b>"],
  );
  assert.deepEqual(await screen.linesAt(1), ["red", "right", "<b>kept as text</b>"]);
  screen.dispose();
});

test("lines above the screen stay, and one wider than the terminal is one", async () => {
  const lines = Array.from({ length: 50 }, (_, at) => `line ${at}`);
  const screen = screenOf([0, `${lines.join("\r\n")}\r\n`], [1, "x".repeat(45)]);
  assert.deepEqual(await screen.linesAt(1), [...lines, "x".repeat(45)]);
  screen.dispose();
});

test("a resized terminal continues in its new size", async () => {
  const screen = screenOf([0, "a"], [1, "50x5", "r"], [2, `\r\n${"y".repeat(30)}\u001b[3Dz`]);
  assert.deepEqual(await screen.linesAt(2), ["a", `${"y".repeat(27)}zyy`]);
  screen.dispose();
});

test("a sequence that repeats something billions of times is ignored", async () => {
  const finals = ["b", "S", "T", "L", "M", "I", "Z", "@", "P", "X", "A", "B", "C", "G", "d", "H"];
  const sequences = finals.map((final) => `\u001b7\u001b[2147483647${final}\u001b8`);
  const screen = screenOf([0, "first\r\n"], [1, sequences.join("")], [2, "\r\nlast\u001b[5b"]);
  const lines = await screen.linesAt(2);
  assert.equal(lines[0], "first");
  assert.equal(lines.at(-1), "lastttttt");
  screen.dispose();
});

test("a character that is cut between two pieces is whole", async () => {
  const screen = screenOf([0, `${"\r\n".repeat(255)}x😀`]);
  assert.equal((await screen.linesAt(0)).at(-1), "x😀");
  screen.dispose();
});

test("many changes of size without output count as the last one", async () => {
  const sizes = Array.from({ length: 5_000 }, (_, at) => [1, at % 2 ? "1x1" : "500x200", "r"] as const);
  const screen = screenOf([0, "line\r\n".repeat(20_000)], ...sizes, [2, "20x3", "r"], [3, "end"]);
  const { user } = process.cpuUsage();
  assert.equal((await screen.linesAt(3)).at(-1), "end");
  // Maximum CPU time in microseconds. An earlier implementation needed 61 s for 2,000 changes in one block.
  assert.ok(process.cpuUsage().user - user < 10_000_000);
  screen.dispose();
});

test("a screen that is no longer shown reads no further", async () => {
  const screen = screenOf(...Array.from({ length: 1_000 }, (_, at) => [at, "x"] as const));
  const lines = screen.linesAt(1_000);
  screen.dispose();
  assert.deepEqual(await lines, []);
});

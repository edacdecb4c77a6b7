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

test("the screen has what was shown until then, forwards and back", async () => {
  const screen = screenOf([0, "$ "], [1, "echo a\r\n"], [2, "a\r\n$ "]);
  assert.deepEqual(await screen.linesAt(0.5), ["$ "]);
  assert.deepEqual(await screen.linesAt(2), ["$ echo a", "a", "$ "]);
  assert.deepEqual(await screen.linesAt(1), ["$ echo a"]);
  assert.deepEqual(await screen.linesAt(-1), []);
  screen.dispose();
});

test("control sequences do what they do in a terminal, and are no text", async () => {
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

test("a terminal that was resized goes on in its new size", async () => {
  const screen = screenOf([0, "a"], [1, "50x5", "r"], [2, `\r\n${"y".repeat(30)}\u001b[3Dz`]);
  assert.deepEqual(await screen.linesAt(2), ["a", `${"y".repeat(27)}zyy`]);
  screen.dispose();
});

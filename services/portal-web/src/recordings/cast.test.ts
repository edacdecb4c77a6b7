import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CastEvent, parseCast, sizeIn } from "./cast.ts";

const castOf = (header: object, events: readonly (readonly unknown[])[] = []) =>
  `${[header, ...events].map((each) => JSON.stringify(each)).join("\n")}\n`;

test("a recording is read as it was written", () => {
  const event = fc.record(
    {
      seconds: fc.float({ min: 0, max: 3_600, noNaN: true }),
      kind: fc.constantFrom("o" as const, "r" as const),
      data: fc.string({ unit: "binary" }),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(event), (events: readonly CastEvent[]) => {
      const text = castOf(
        { version: 2, width: 100, height: 30 },
        events.map(({ seconds, kind, data }) => [seconds, kind, data]),
      );
      const cast = parseCast(text);
      assert.deepEqual([cast.columns, cast.rows], [100, 30]);
      assert.deepEqual(cast.events, JSON.parse(JSON.stringify(events)));
    }),
  );
});

test("an impossible terminal size is ignored, and invalid events are omitted", () => {
  for (const [width, height, columns, rows] of [
    [4_294_967_295, 1, 500, 1],
    [0, -1, 80, 24],
    ["100", null, 80, 24],
    [1.5, 1e9, 80, 200],
  ]) {
    const cast = parseCast(castOf({ version: 2, width, height }));
    assert.deepEqual([cast.columns, cast.rows], [columns, rows]);
  }
  assert.deepEqual(sizeIn("120x40"), { columns: 120, rows: 40 });
  assert.deepEqual(sizeIn("x"), { columns: 80, rows: 24 });
  const cut = `${castOf({ version: 2 }, [
    [1, "o", "a"],
    [2, "i", "b"],
    ["3", "o", "c"],
  ])}[4,"o","d`;
  assert.deepEqual(parseCast(cut).events, [{ seconds: 1, kind: "o", data: "a" }]);
});

test("content that is no recording is rejected", () => {
  for (const text of ["", "null", "{}", castOf({ version: 1 })])
    assert.throws(() => parseCast(text), /no asciicast/);
});

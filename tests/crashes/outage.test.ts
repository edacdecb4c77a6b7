import assert from "node:assert/strict";
import { test } from "node:test";
import { failureKind, outageOf } from "./outage.ts";

const ok = (startedMs: number, endedMs: number) => ({ startedMs, endedMs });
const bad = (startedMs: number, endedMs: number, failure: string) => ({ startedMs, endedMs, failure });

test("an outage ends with the first success after the last failure", () => {
  const samples = [
    bad(-20, -10, "503"),
    ok(-5, 5),
    bad(6, 7, "reset"),
    ok(10, 40),
    bad(50, 51, "refused"),
    ok(60, 90),
  ];
  assert.deepEqual(outageOf([...samples, ok(100, 101)]), {
    servingMs: 90,
    slowestMs: 30,
    failures: { reset: 1, refused: 1 },
    last: { endedMs: 51, message: "" },
  });
});

test("a client without failures has no outage, and one that is not served again has no end", () => {
  assert.deepEqual(outageOf([ok(0, 5)]), { servingMs: 0, slowestMs: 5, failures: {} });
  assert.equal(outageOf([ok(0, 5), bad(6, 7, "refused")]).servingMs, null);
});

const kinds: readonly (readonly [object, string])[] = [
  [{ code: "ECONNREFUSED" }, "refused"],
  [{ code: "ECONNRESET" }, "reset"],
  [{ code: "UND_ERR_SOCKET", message: "other side closed" }, "reset"],
  [{ name: "TimeoutError", code: 23 }, "no response"],
  [new Error("503"), "503"],
];
for (const [error, kind] of kinds)
  test(`the kind of ${JSON.stringify(error)} is "${kind}"`, () => assert.equal(failureKind(error), kind));

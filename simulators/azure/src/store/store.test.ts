import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { openSqliteJournal } from "./journal.ts";
import { Store } from "./store.ts";

function temporaryFile(): Disposable & { readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), "sim-azure-store-"));
  return { path: join(folder, "store.db"), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

interface Write {
  readonly key: string;
  readonly value: number | undefined;
}

const write: fc.Arbitrary<Write> = fc.record({
  key: fc.constantFrom("a", "b", "c"),
  value: fc.option(fc.nat(9), { nil: undefined }),
});
const transaction = fc.record({ writes: fc.array(write, { maxLength: 4 }), fails: fc.boolean() });

test("transactions happen as a whole or not at all, indexes follow them, and a new life finds the same rows", () => {
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 6 }), (transactions) => {
      using file = temporaryFile();
      const expected = new Map<string, number>();
      const indexed = new Map<number, number>();
      const store = new Store(openSqliteJournal(file.path));
      const table = store.table<number>("numbers");
      store.index<number>("numbers", (before, after) => {
        if (before !== undefined) indexed.set(before, (indexed.get(before) ?? 0) - 1);
        if (after !== undefined) indexed.set(after, (indexed.get(after) ?? 0) + 1);
      });
      for (const { writes, fails } of transactions) {
        const run = () =>
          store.transaction(() => {
            for (const { key, value } of writes)
              value === undefined ? table.delete(key) : table.set(key, value);
            if (fails) throw new Error("refused");
          });
        if (fails) assert.throws(run, /refused/);
        else {
          run();
          for (const { key, value } of writes)
            value === undefined ? expected.delete(key) : expected.set(key, value);
        }
      }
      const rows = (from: { values(): Iterable<number> }) => [...from.values()].sort();
      assert.deepEqual(rows(table), rows(expected));
      const counts = [...indexed].flatMap(([value, count]) => Array<number>(count).fill(value)).sort();
      assert.deepEqual(counts, rows(expected));
      store.close();
      const again = new Store(openSqliteJournal(file.path));
      assert.deepEqual(rows(again.table<number>("numbers")), rows(expected));
      again.close();
    }),
    { numRuns: 40 },
  );
});

test("writes of one turn share a commit, are told once they are on disk, and only then", async () => {
  let commits = 0;
  const store = new Store({ load: () => [], write: () => void commits++, close: () => {} });
  const table = store.table<number>("numbers");
  const told: (number | undefined)[] = [];
  store.onChange<number>("numbers", (_, after) => told.push(after));
  store.transaction(() => table.set("a", 1));
  store.transaction(() => table.set("a", 2));
  store.transaction(() => table.set("b", 3));
  const [first, second] = [store.durable(), store.durable()];
  assert.deepEqual([commits, told], [0, []]);
  await Promise.all([first, second]);
  assert.deepEqual([commits, told], [1, [2, 3]]);
});

test("what a full disk refused is written with the next commit", async () => {
  let full = true;
  const written: string[] = [];
  const store = new Store({
    load: () => [],
    write(entries) {
      if (full) throw new Error("disk full");
      written.push(...entries.map(({ key }) => key));
    },
    close: () => {},
  });
  const table = store.table<number>("numbers");
  store.transaction(() => table.set("a", 1));
  await assert.rejects(store.durable(), /disk full/);
  full = false;
  store.transaction(() => table.set("b", 1));
  await store.durable();
  assert.deepEqual(written, ["a", "b"]);
});

test("a write outside of a transaction is a mistake that shows", () => {
  assert.throws(() => new Store().table<number>("numbers").set("a", 1), /outside of a transaction/);
});

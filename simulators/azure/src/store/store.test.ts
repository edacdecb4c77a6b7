import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type Journal, memoryJournal, openSqliteJournal } from "@keelson/sim-store";
import fc from "fast-check";
import { Store } from "./store.ts";

function temporaryFile(): Disposable & { readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), "sim-azure-store-"));
  return {
    path: join(directory, "store.db"),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
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

test("transactions are atomic, indexes follow them, and a restart finds the same rows", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { maxLength: 6 }), async (transactions) => {
      using file = temporaryFile();
      const expected = new Map<string, number>();
      const indexed = new Map<number, number>();
      const store = await Store.open(await openSqliteJournal(file.path));
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
        await store.durable();
      }
      const rows = (from: { values(): Iterable<number> }) => [...from.values()].sort();
      assert.deepEqual(rows(table), rows(expected));
      const counts = [...indexed].flatMap(([value, count]) => Array<number>(count).fill(value)).sort();
      assert.deepEqual(counts, rows(expected));
      await store.close();
      const again = await Store.open(await openSqliteJournal(file.path));
      assert.deepEqual(rows(again.table<number>("numbers")), rows(expected));
      await again.close();
      await using journal = await openSqliteJournal(file.path);
      const records = (await Array.fromAsync(journal.read(1))).flat();
      assert.equal(records.length, expected.size, "superseded changes are removed");
    }),
    { numRuns: 40 },
  );
});

/** Returns a journal that calls `append` but stores nothing. */
function journalThat(append: Journal["append"]): Journal {
  return { ...memoryJournal(), append };
}

test("writes of one turn share a commit, and listeners are notified only after they are on disk", async () => {
  const disk = Promise.withResolvers<void>();
  const commits: number[] = [];
  const store = await Store.open(
    journalThat((records) => {
      commits.push(records.length);
      return disk.promise;
    }),
  );
  const table = store.table<number>("numbers");
  const heard: (number | undefined)[] = [];
  store.onChange<number>("numbers", (_, after) => heard.push(after));
  store.transaction(() => table.set("a", 1));
  store.transaction(() => table.set("a", 2));
  store.transaction(() => table.set("b", 3));
  const both = Promise.all([store.durable(), store.durable()]);
  await setImmediate();
  assert.deepEqual([commits, heard], [[2], []]);
  disk.resolve();
  await both;
  assert.deepEqual([commits, heard], [[2], [2, 3]]);
});

test("changes that a full disk rejected are written with the next commit, including later changes", async () => {
  let full = true;
  const written: [string, string][] = [];
  const store = await Store.open(
    journalThat(async (records) => {
      if (full) throw new Error("disk full");
      written.push(
        ...records.map(({ key, value }): [string, string] => [key, String(value && Buffer.from(value))]),
      );
    }),
  );
  const table = store.table<number>("numbers");
  const heard: (readonly [number | undefined, number | undefined])[] = [];
  store.onChange<number>("numbers", (before, after) => heard.push([before, after]));
  store.transaction(() => table.set("a", 1));
  store.transaction(() => table.set("c", 1));
  const first = store.durable();
  store.transaction(() => table.set("a", 2));
  await assert.rejects(first, /disk full/);
  full = false;
  store.transaction(() => table.set("b", 1));
  await store.durable();
  assert.deepEqual(Object.fromEntries(written), { a: "2", b: "1", c: "1" });
  assert.deepEqual(
    heard.filter(([, after]) => after === 2),
    [[undefined, 2]],
  );
});

test("a write outside of a transaction is a mistake that shows", () => {
  const table = Store.inMemory().table<number>("numbers");
  assert.throws(() => table.set("a", 1), /outside of a transaction/);
});

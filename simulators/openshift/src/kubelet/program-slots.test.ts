import assert from "node:assert/strict";
import { test } from "node:test";
import { NoFreeSlot, ProgramSlots } from "./program-slots.ts";

test("a slot is taken until its program has ended, or did not start", async () => {
  const slots = new ProgramSlots(1);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  await assert.rejects(
    slots.run(async () => {
      throw new Error("no program");
    }),
    /no program/,
  );
  await slots.run(async () => ({ ended }));
  await assert.rejects(
    slots.run(async () => ({ ended })),
    NoFreeSlot,
  );
  resolve();
  await ended;
  await slots.run(async () => ({ ended }));
});

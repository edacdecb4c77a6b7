import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { Pending } from "./pending.ts";

test("a pending sign-in keeps its lifetime after a change, and is found only by its exact code", async () => {
  const clock = new ManualClock(new Date(0));
  const pending = new Pending<string>(clock, 1_000);
  pending.add("code", "begun");
  assert.equal(pending.find("Code"), undefined);
  await clock.advance(999);
  pending.change("code", "granted");
  assert.equal(pending.find("code"), "granted");
  await clock.advance(1);
  assert.equal(pending.find("code"), undefined);
  pending.change("unknown", "granted");
  assert.equal(pending.find("unknown"), undefined);
});

test("the oldest sign-ins are dropped if there are too many", () => {
  const pending = new Pending<number>(new ManualClock(new Date(0)), 1_000);
  for (let index = 0; index <= 10_000; index++) pending.add(`code ${index}`, index);
  assert.equal(pending.find("code 0"), undefined);
  assert.equal(pending.find("code 1"), 1);
  assert.equal(pending.find("code 10000"), 10_000);
  pending.remove("code 1");
  assert.equal(pending.find("code 1"), undefined);
});

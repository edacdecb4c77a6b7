import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { OneTimeLinks } from "./one-time-links.ts";
import { Sessions } from "./sessions.ts";

test("a link is valid once, and not after 15 minutes", async () => {
  const clock = new ManualClock();
  const links = new OneTimeLinks(clock);
  const [first, second] = [links.create(), links.create()];
  assert.equal(links.redeem("other"), false);
  assert.equal(links.redeem(first.token), true);
  assert.equal(links.redeem(first.token), false);
  await clock.advance(15 * 60_000 - 1);
  const third = links.create();
  await clock.advance(1);
  assert.equal(links.redeem(second.token), false);
  assert.equal(links.redeem(third.token), true);
});

test("a new link beyond 32 invalidates the oldest one", () => {
  const links = new OneTimeLinks(new ManualClock());
  const created = Array.from({ length: 33 }, () => links.create().token);
  assert.deepEqual(
    created.filter((token) => !links.redeem(token)),
    created.slice(0, 1),
  );
});

test("a session ends by sign-out, after 12 hours, and as the oldest of 33", async () => {
  const clock = new ManualClock();
  const sessions = new Sessions(clock);
  const [closed, lasting] = [sessions.open(), sessions.open()];
  assert.notEqual(closed.csrf, lasting.csrf);
  sessions.close(closed.id);
  assert.equal(sessions.find(closed.id), undefined);
  assert.equal(sessions.find(lasting.id)?.csrf, lasting.csrf);
  await clock.advance(12 * 3_600_000);
  assert.equal(sessions.find(lasting.id), undefined);
  const many = Array.from({ length: 33 }, () => sessions.open().id);
  assert.deepEqual(
    many.filter((id) => !sessions.find(id)),
    many.slice(0, 1),
  );
});

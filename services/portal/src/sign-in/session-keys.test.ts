import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import { SessionKeys } from "./session-keys.ts";

const newKey = () => new Secret(randomBytes(32).toString("base64"));
const now = new Date("2026-01-01T00:00:00Z");
const expires = new Date(now.getTime() + 3_600_000);

test("a sealed value opens while its key is known", async () => {
  const [old, next] = [newKey(), newKey()];
  const sealed = await new SessionKeys([old]).seal("a", { x: 1 }, expires, "id");
  for (const keys of [[old], [next, old]])
    assert.deepEqual((await new SessionKeys(keys).open("a", sealed, now))?.x, 1);
  assert.equal(await new SessionKeys([next]).open("a", sealed, now), undefined);
});

test("expired, modified and other-purpose values do not open", async () => {
  const keys = new SessionKeys([newKey()]);
  const sealed = await keys.seal("a", { x: 1 }, expires, "id");
  assert.equal(await keys.open("a", sealed, expires), undefined);
  assert.equal(await keys.open("b", sealed, now), undefined);
  for (let at = 0; at < sealed.length; at += 7) {
    const other = sealed[at] === "A" ? "Q" : "A";
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    assert.equal(await keys.open("a", changed, now), undefined, `${at}`);
  }
});

test("keys are 32 bytes", () => {
  for (const bytes of [0, 16, 31, 33])
    assert.throws(() => new SessionKeys([new Secret(randomBytes(bytes).toString("base64"))]), {
      message: /^invalid sessionKey/,
    });
  assert.throws(() => new SessionKeys([]), { message: /^invalid sessionKey/ });
});

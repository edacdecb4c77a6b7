import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openKeyring } from "./encryption-keys.ts";

const signal = AbortSignal.timeout(900_000);
const deps = {
  connectVault: () => assert.fail("there is no vault"),
  onReading: () => undefined,
  logger: silentLogger,
  signal,
};
const key = Buffer.alloc(32, 1).toString("base64");

test("keys written into the configuration are those of the service", async () => {
  const clock = new ManualClock();
  await using keyring = await openKeyring({ current: "a", keys: { a: key } }, { ...deps, clock });
  assert.equal(keyring.currentKeyId(), "a");
  assert.deepEqual(Buffer.from(keyring.key("a") ?? []), Buffer.alloc(32, 1));
  await assert.rejects(openKeyring({ current: "b", keys: { a: key } }, { ...deps, clock }), {
    name: "InvalidKey",
  });
});

test("keys of a file change while the service runs", async () => {
  const directory = await mkdtemp(join(tmpdir(), "keelson-keys-"));
  const keysFile = join(directory, "keys.json");
  const put = (current: string) => writeFile(keysFile, JSON.stringify({ current, keys: { a: key, b: key } }));
  try {
    await put("a");
    const clock = new ManualClock();
    await using keyring = await openKeyring({ keysFile, refreshMs: 500 }, { ...deps, clock });
    await put("b");
    await clock.advance(500);
    while (keyring.currentKeyId() !== "b") await turn();
  } finally {
    await rm(directory, { recursive: true });
  }
});

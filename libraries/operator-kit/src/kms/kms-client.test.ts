import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startKmsPlugin } from "../testing/kms-plugin.ts";
import { connectKms } from "./kms-client.ts";

const root = mkdtempSync(join(tmpdir(), "kms-"));
after(() => rmSync(root, { recursive: true, force: true }));
const signal = AbortSignal.timeout(900_000);
const deep = join(root, ...Array.from({ length: 8 }, () => "a-folder-of-a-container"));

test("a plugin that was away is reached once it is there, and again after it was restarted", async () => {
  const path = join(root, "kms-1.sock");
  using service = connectKms(path, 5_000);
  await assert.rejects(service.status(signal), /ENOENT/);
  {
    await using _plugin = await startKmsPlugin(path);
    assert.equal((await service.status(signal)).keyId, "remote-1");
  }
  await assert.rejects(service.status(signal));
  await using _plugin = await startKmsPlugin(path, { keyId: "remote-2" });
  assert.equal((await service.status(signal)).keyId, "remote-2");
  const encrypted = await service.encrypt(Buffer.from("text"), "uid", signal);
  assert.equal(Buffer.from(await service.decrypt(encrypted, "uid", signal)).toString(), "text");
});

test("a plugin is reached by a path that is too long for a socket", {
  skip: platform() !== "linux",
}, async () => {
  const short = join(root, "kms-2.sock");
  mkdirSync(deep, { recursive: true });
  symlinkSync(short, join(deep, "kms-2.sock"));
  await using _plugin = await startKmsPlugin(short);
  using service = connectKms(join(deep, "kms-2.sock"), 5_000);
  assert.equal((await service.status(signal)).healthz, "ok");
});

test("a call fails for a missing long path as for a short one", async () => {
  using absent = connectKms(join(deep, "kms-3.sock"), 5_000);
  await assert.rejects(absent.status(signal), /ENOENT/);
  using nowhere = connectKms(join(deep, "no", "kms-3.sock"), 5_000);
  await assert.rejects(nowhere.status(signal), /ENOENT/);
  await assert.rejects(nowhere.status(signal), /ENOENT/);
});

test("a call ends with its signal", async () => {
  const path = join(root, "kms-4.sock");
  await using _plugin = await startKmsPlugin(path, { delayMs: 60_000 });
  using service = connectKms(path, 50_000);
  const stop = new AbortController();
  const calling = service.status(stop.signal);
  stop.abort();
  await assert.rejects(calling);
});

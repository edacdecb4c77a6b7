import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { keyFile, parseKeySet } from "./key-source.ts";
import { generateKey } from "./keyring.ts";
import { RefreshedKeyring } from "./refreshed-keyring.ts";

const signal = AbortSignal.timeout(900_000);
const base64 = () => Buffer.from(generateKey()).toString("base64");
const keys = { k1: base64(), k2: base64() };
let directory: string;
let path: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "keelson-keys-"));
  path = join(directory, "keys.json");
});
after(() => rm(directory, { recursive: true, force: true }));

const put = (set: unknown) => writeFile(path, typeof set === "string" ? set : JSON.stringify(set));
const open = (clock = new ManualClock()) =>
  RefreshedKeyring.open({ source: keyFile(path), everyMs: 1_000, clock, logger: silentLogger, signal });

test("a changed file is in force after the interval, without a restart", async () => {
  await put({ current: "k1", keys: { k1: keys.k1 } });
  const clock = new ManualClock();
  await using keyring = await open(clock);
  const first = keyring.key("k1");
  await put({ current: "k2", keys });
  assert.equal(keyring.currentKeyId(), "k1");
  await clock.advance(1_000);
  while (keyring.currentKeyId() !== "k2") await turn();
  assert.equal(keyring.key("k1"), first, "a key that stays is the same array");
  assert.deepEqual(Buffer.from(keyring.key("k2") ?? []).toString("base64"), keys.k2);
});

test("what the file no longer has is forgotten", async () => {
  await put({ current: "k2", keys });
  await using keyring = await open();
  await put({ current: "k2", keys: { k2: keys.k2 } });
  await keyring.refresh(signal);
  assert.equal(keyring.key("k1"), undefined);
});

test("a missing key causes an immediate read, at a limited rate", async () => {
  await put({ current: "k1", keys: { k1: keys.k1 } });
  const clock = new ManualClock();
  let readings = 0;
  const file = keyFile(path);
  const read = (stop: AbortSignal) => {
    readings += 1;
    return file.read(stop);
  };
  const options = {
    source: { name: "counted", read },
    everyMs: 86_400_000,
    clock,
    logger: silentLogger,
    signal,
  };
  await using keyring = await RefreshedKeyring.open(options);
  await put({ current: "k1", keys });
  assert.equal(keyring.key("k2"), undefined);
  assert.equal(readings, 1, "the source was asked a moment ago");
  await clock.advance(10_000);
  while (!keyring.key("k2")) await turn();
  for (let again = 0; again < 5; again++) assert.equal(keyring.key("k9"), undefined);
  assert.equal(readings, 2);
});

test("each read is reported, whether it succeeded or failed", async () => {
  await put({ current: "k1", keys });
  const outcomes: string[] = [];
  await using keyring = await RefreshedKeyring.open({
    source: keyFile(path),
    everyMs: 1_000,
    onReading: (outcome) => outcomes.push(outcome),
    clock: new ManualClock(),
    logger: silentLogger,
    signal,
  });
  await keyring.refresh(signal);
  await put("nonsense");
  await keyring.refresh(signal);
  assert.deepEqual(outcomes, ["read", "failed"]);
});

const faults = [
  { name: "that is not JSON", set: `{"keys": {"k1": "${keys.k1}"`, says: /no string "current"/ },
  { name: "without a current key", set: { keys }, says: /no string "current"/ },
  { name: "without keys", set: { current: "k1" }, says: /no object "keys"/ },
  { name: "without its current key", set: { current: "k9", keys }, says: /k9 is not in the keyring/ },
  {
    name: "with a key that is not a string",
    set: { current: "k1", keys: { k1: 7 } },
    says: /Key k1 .* base64/,
  },
  { name: "with a short key", set: { current: "k1", keys: { k1: "c2hvcnQ=" } }, says: /Key k1 has 5 bytes/ },
];
for (const { name, set, says } of faults) {
  test(`a file ${name} is refused at the start, quoting no key, and later changes nothing`, async () => {
    await put(set);
    await assert.rejects(open(), (error: Error) => {
      assert.equal(error.name, "InvalidKey");
      assert.match(error.message, says);
      assert.ok(!error.message.includes(keys.k1));
      return true;
    });
    await put({ current: "k1", keys });
    await using keyring = await open();
    await put(set);
    await keyring.refresh(signal);
    assert.equal(keyring.currentKeyId(), "k1");
    assert.ok(keyring.key("k2"));
  });
}

test("a set of keys keeps every ID as it is", () => {
  const set = parseKeySet(JSON.stringify({ current: "a/b", keys: { "a/b": keys.k1, "": keys.k2 } }), "here");
  assert.deepEqual(Object.keys(set.keys), ["a/b", ""]);
});

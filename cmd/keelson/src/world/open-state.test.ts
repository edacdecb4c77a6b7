import assert from "node:assert/strict";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { failureText } from "../output/failure-text.ts";
import { openState } from "./open-state.ts";

const damages = [
  { file: "secrets.json", content: '{"tenantId": "t"}', says: /it lacks subscriptionId, .*backup/ },
  { file: "secrets.json", content: '{"adminToken": secret', says: /it is no JSON\): restore it/ },
  { file: "ports.json", content: '{"rp": 8', says: /ports\.json cannot be used .*remove it/ },
  { file: "ports.json", content: '{"rp": "x"}', says: /rp is no port/ },
  { file: "ca.pem", content: "-----BEGIN", says: /ca\.pem and .*ca-key\.pem cannot be used/ },
];
for (const { file, content, says } of damages) {
  test(`the error for the damaged ${file} ${content} names the file and shows no content`, async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), "keelson-state-"));
    writeFileSync(join(directory.path, "ca-key.pem"), "");
    writeFileSync(join(directory.path, file), content);
    await assert.rejects(openState(directory.path, { auto: true, asked: {} }), (error) => {
      const message = failureText(error);
      assert.match(message, says);
      assert.doesNotMatch(message, /: secret|\n +at /);
      return true;
    });
  });
}

test("opening a state directory deletes the copy of a world and its link, which killed processes left", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "keelson-state-"));
  const left = ["world.next", "world.link-3"];
  mkdirSync(join(directory.path, "world.next", "database"), { recursive: true });
  writeFileSync(join(directory.path, "world.next", "database", "file"), "");
  symlinkSync("world.next", join(directory.path, "world.link-3"));
  using _state = await openState(directory.path, { auto: true, asked: {} });
  assert.deepEqual(
    readdirSync(directory.path).filter((name) => left.includes(name)),
    [],
  );
});

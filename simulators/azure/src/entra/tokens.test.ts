import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { OffsetClock } from "../base/offset-clock.ts";
import { Store } from "../store/store.ts";
import { Directory } from "./directory.ts";
import { Tokens } from "./tokens.ts";

const arm = "https://management.azure.com";
const vault = "https://vault.azure.net";
const tenant = "12a2b1e4-3d6c-4615-986c-480b0d412354";
const subject = { clientId: "client", objectId: "object" };
const application = { ...subject, displayName: "application", passwords: [] };
const hourMs = 3_600_000;

async function openTokens() {
  const outside = new ManualClock();
  const clock = new OffsetClock(outside);
  const store = Store.inMemory();
  const directory = new Directory(store);
  store.transaction(() => directory.put(application));
  return { tokens: await Tokens.open(tenant, store, clock), clock, outside, store, directory };
}

test("a token is accepted only by its own service, also after a previous validation", async () => {
  const { tokens } = await openTokens();
  const { accessToken } = await tokens.issue(subject, `${arm}/`, "issuer");
  for (const _ of [1, 2]) {
    assert.deepEqual(await tokens.verify(accessToken, [arm]), subject);
    const refused = await tokens.verify(accessToken, [vault]);
    assert.equal("code" in refused && refused.code, "InvalidAuthenticationTokenAudience");
  }
});

for (const moved of ["the clocks outside", "the subscription's own"] as const) {
  test(`a token that was accepted expires by ${moved}`, async () => {
    const { tokens, clock, outside } = await openTokens();
    const { accessToken } = await tokens.issue(subject, arm, "issuer");
    assert.deepEqual(await tokens.verify(accessToken, [arm]), subject);
    if (moved === "the clocks outside") await outside.advance(hourMs + 1_000);
    else clock.moveTo(hourMs + 1_000);
    const refused = await tokens.verify(accessToken, [arm]);
    assert.equal("code" in refused && refused.code, "ExpiredAuthenticationToken");
  });
}

test("a changed token is rejected although its original was accepted", async () => {
  const { tokens } = await openTokens();
  const { accessToken } = await tokens.issue(subject, arm, "issuer");
  assert.deepEqual(await tokens.verify(accessToken, [arm]), subject);
  const [header = "", , signature = ""] = accessToken.split(".");
  const claims = Buffer.from(JSON.stringify({ aud: arm, appid: "other" })).toString("base64url");
  const refused = await tokens.verify(`${header}.${claims}.${signature}`, [arm]);
  assert.equal("code" in refused && refused.code, "InvalidAuthenticationToken");
});

const ended: readonly (readonly [what: string, end: (directory: Directory) => void])[] = [
  ["was deleted", (directory) => directory.remove(subject.clientId)],
  ["may no longer sign in", (directory) => directory.put({ ...application, disabled: true })],
  ["was made again under another object ID", (directory) => directory.put({ ...application, objectId: "b" })],
];
for (const [what, end] of ended) {
  test(`a token of a principal that ${what} is rejected with a challenge to sign in again`, async () => {
    const { tokens, store, directory } = await openTokens();
    const { accessToken } = await tokens.issue(subject, arm, "issuer");
    assert.deepEqual(await tokens.verify(accessToken, [arm]), subject);
    store.transaction(() => end(directory));
    const refused = await tokens.verify(accessToken, [arm]);
    assert.ok("code" in refused);
    assert.deepEqual([refused.code, refused.isStale], ["InvalidAuthenticationToken", true]);
  });
}

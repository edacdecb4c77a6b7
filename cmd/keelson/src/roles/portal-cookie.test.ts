import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { Logins, SessionKeys } from "@keelson/portal";
import { portalCookie } from "./portal-cookie.ts";

const key = randomBytes(32).toString("base64");
const signIn = {
  clientId: "c",
  certificateFile: "a",
  keyFile: "b",
  sessionKeys: [key, randomBytes(32).toString("base64")],
  groups: { access: ["g-read"], operator: [], elevated: ["g-all"] },
};
const portal = { url: "https://portal.example", certificateFile: "a", host: "127.0.0.1", port: 8445, signIn };

test("the portal takes the cookie for an hour, with the role of the groups", async () => {
  const clock = new ManualClock();
  const logins = new Logins(new SessionKeys([new Secret(key)]), clock);
  for (const [groups, role] of [
    [["other", "G-READ"], "reader"],
    [["g-read", "g-all"], "elevated"],
  ] as const) {
    const cookie = await portalCookie({ portal }, { username: "ann@example.com", groups }, clock);
    assert.equal(cookie.role, role);
    const login = await logins.find(`${cookie.name}=${cookie.value}`);
    assert.ok(typeof login === "object");
    assert.deepEqual([login.username, login.role], ["ann@example.com", role]);
  }
  const { name, value } = await portalCookie(
    { portal },
    { username: "ann@example.com", groups: ["g-read"] },
    clock,
  );
  await clock.advance(3_601_000);
  assert.equal(await logins.find(`${name}=${value}`), "invalid");
});

test("no cookie for a person outside of the groups, or for a portal without sign-in", async () => {
  const clock = new ManualClock();
  await assert.rejects(portalCookie({ portal }, { username: "a", groups: ["x"] }, clock), {
    code: "NoAccess",
  });
  await assert.rejects(portalCookie({}, { username: "a", groups: ["x"] }, clock), { code: "NoPortal" });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { location, startTestAzure, subscriptionId } from "../testing/test-azure.ts";
import { readerRole } from "./built-in-roles.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/g?api-version=2021-04-01`;

test("role assignments apply after the delay in the settings", async () => {
  const clock = new ManualClock(new Date());
  await using azure = await startTestAzure({ clock });
  await azure.arm("PUT", group, { location });
  await clock.advance(60_000);
  azure.change({ rightsDelayMs: 60_000 });
  const credential = await azure.register();
  const token = await azure.connect({ credential }).getToken(AbortSignal.timeout(900_000));
  const look = async () => (await azure.raw(group, { headers: { authorization: `Bearer ${token}` } })).status;
  await azure.assign(credential.objectId, { role: readerRole });
  assert.equal(await look(), 403);
  await clock.advance(59_000);
  assert.equal(await look(), 403);
  await clock.advance(1_000);
  assert.equal(await look(), 200);
});

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const signal = new AbortController().signal;
let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend();
});
after(() => frontend[Symbol.asyncDispose]());

describe("PUT of a subscription", () => {
  const url = (subscriptionId: string) => `/subscriptions/${subscriptionId}?api-version=2.0`;

  test("returns 201, then 200, and the body with unknown properties but without the owner's e-mail", async () => {
    const id = randomUUID();
    const properties = {
      tenantId: randomUUID(),
      future: { a: [1] },
      accountOwner: { email: "x@y.z", kind: "k" },
    };
    const body = { state: "Registered", registrationDate: "today", properties };
    const created = await frontend.client.put(url(id), body);
    assert.equal(created.status, 201);
    const stored = { ...body, properties: { ...properties, accountOwner: { kind: "k" } } };
    assert.deepEqual(created.json, stored);
    const again = await frontend.client.put(url(id), body);
    assert.deepEqual([again.status, again.json], [200, stored]);
    const document = await frontend.database.collections.subscriptions.find(id, id, signal);
    assert.deepEqual(document?.document.subscription, stored);
    assert.equal(document?.document.deleting, false);
  });

  const bodies = [
    { name: "an unknown state", body: { state: "Bogus" }, code: "InvalidParameter", target: "state" },
    { name: "no state", body: {}, code: "InvalidParameter", target: "state" },
    { name: "no object", body: "[]", code: "InvalidRequestContent", target: undefined },
    { name: "no body", body: "", code: "InvalidRequestContent", target: undefined },
  ];
  for (const { name, body, code, target } of bodies) {
    test(`refuses ${name}`, async () => {
      const { status, error } = await frontend.client.put(url(randomUUID()), body);
      assert.deepEqual([status, error.code, error.target], [400, code, target]);
    });
  }

  test("a deleted subscription stays deleted, and its clusters are to go", async () => {
    const id = randomUUID();
    await frontend.client.put(url(id), { state: "Registered" });
    assert.equal((await frontend.client.put(url(id), { state: "Deleted" })).status, 200);
    const document = await frontend.database.collections.subscriptions.find(id, id, signal);
    assert.equal(document?.document.deleting, true);
    const back = await frontend.client.put(url(id), { state: "Registered" });
    assert.deepEqual(
      [back.status, back.error.code, back.error.message],
      [400, "InvalidSubscriptionState", "Request is not allowed in subscription in state 'Deleted'."],
    );
  });

  test("concurrent announcements are all accepted", async () => {
    const id = randomUUID();
    const states = ["Registered", "Warned", "Suspended", "Unregistered"];
    const responses = await Promise.all(states.map((state) => frontend.client.put(url(id), { state })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 201]);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import fc from "fast-check";
import { subscriptionStates } from "../documents/subscription-document.ts";
import { assertSubscriptionTransition, parseSubscription } from "./subscription.ts";

test("a subscription is kept as it came, but for the owner's address", () => {
  const body = {
    state: "Registered",
    registrationDate: "2026-01-01",
    properties: {
      tenantId: "tenant",
      quotaId: "unknown",
      accountOwner: { email: "someone@example.com", puid: "1" },
      registeredFeatures: [{ name: "a/b", state: "Registered", more: true }],
    },
  };
  assert.deepEqual(parseSubscription(body), {
    ...body,
    properties: { ...body.properties, accountOwner: { puid: "1" } },
  });
});

test("an address in any case is an address", () => {
  const parsed = parseSubscription({ state: "Warned", properties: { accountOwner: { Email: "a@b" } } });
  assert.doesNotMatch(JSON.stringify(parsed), /a@b/);
});

for (const state of ["Bogus", "registered", "", undefined]) {
  test(`state ${state} is refused`, () => {
    assert.throws(
      () => parseSubscription(state === undefined ? {} : { state }),
      (error) => {
        assert.ok(error instanceof CloudError);
        assert.equal(error.status, 400);
        assert.deepEqual(error.body, {
          code: "InvalidParameter",
          target: "state",
          message: `The provided state '${state ?? ""}' is invalid.`,
        });
        return true;
      },
    );
  });
}

test("Deleted is final; all other transitions are allowed", () => {
  for (const from of [undefined, ...subscriptionStates]) {
    for (const to of subscriptionStates) {
      const move = () => assertSubscriptionTransition(from, to);
      if (from === "Deleted" && to !== "Deleted") {
        assert.throws(move, /Request is not allowed in subscription in state 'Deleted'\./);
      } else {
        assert.doesNotThrow(move);
      }
    }
  }
});

test("every JSON body results in a subscription or an ARM error", () => {
  const member = fc.constantFrom("tenantId", "accountOwner", "registeredFeatures", "email", "__proto__");
  const properties = fc.dictionary(member, fc.jsonValue({ maxDepth: 2 }));
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({
      state: fc.constantFrom("Registered", 1, null),
      properties: fc.oneof(properties, fc.jsonValue()),
    }),
  );
  fc.assert(
    fc.property(body, (value) => {
      try {
        parseSubscription(value);
      } catch (error) {
        assert.ok(error instanceof CloudError, String(error));
      }
    }),
  );
});

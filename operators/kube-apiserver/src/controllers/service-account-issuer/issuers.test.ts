import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultIssuer, type Issuer, nextIssuers } from "./issuers.ts";

const now = new Date("2026-01-01T00:00:00Z");
const tomorrow = "2026-01-02T00:00:00Z";
const issuer = (name: string, expirationTime?: string): Issuer =>
  expirationTime === undefined ? { name } : { name, expirationTime };

test("without a wish the default issues", () => {
  assert.deepEqual(nextIssuers([], "", now), [issuer(defaultIssuer)]);
});

test("the previous issuer is trusted for a day, then removed", () => {
  const changed = nextIssuers([issuer("a")], "b", now);
  assert.deepEqual(changed, [issuer("b"), issuer("a", tomorrow)]);
  assert.deepEqual(nextIssuers(changed, "b", new Date("2026-01-01T23:59:59Z")), changed);
  assert.deepEqual(nextIssuers(changed, "b", new Date(tomorrow)), [issuer("b")]);
});

test("a trusted issuer becomes the current issuer again on request", () => {
  assert.deepEqual(nextIssuers([issuer("b"), issuer("a", tomorrow)], "a", now), [
    issuer("a"),
    issuer("b", tomorrow),
  ]);
});

test("acceptance 26: an eleventh trusted issuer is rejected", () => {
  const trusted = Array.from({ length: 10 }, (_, index) => issuer(`old-${index}`, tomorrow));
  assert.throws(() => nextIssuers([issuer("a"), ...trusted], "b", now), {
    message:
      "unable to configure more than 10 trusted service account issuers at the time, please wait until old issuers expire",
  });
  assert.equal(nextIssuers([issuer("a"), ...trusted], "a", now).length, 11);
});

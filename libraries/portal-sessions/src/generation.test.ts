import assert from "node:assert/strict";
import { test } from "node:test";
import type { PortalSignOutDocument } from "@keelson/model";
import fc from "fast-check";
import { generationIn, isSignedOut, personKey, signInKey } from "./generation.ts";

const document = { id: "p", partitionKey: "p", before: "2026-11-20T10:00:00.000Z" };
const earlier = "2026-11-20T09:59:59Z";
const later = "2026-11-20T10:00:03Z";

for (const [name, person, begun, expected] of [
  ["nothing was ended", undefined, { generation: 0, at: earlier }, false],
  ["nothing was ended, older release", undefined, { generation: undefined, at: earlier }, false],
  ["same generation", { ...document, generation: 2 }, { generation: 2, at: earlier }, false],
  ["older generation, later clock", { ...document, generation: 2 }, { generation: 1, at: later }, true],
  [
    "older release beside a generation",
    { ...document, generation: 1 },
    { generation: undefined, at: later },
    true,
  ],
  ["older releases, later sign-in", document, { generation: undefined, at: later }, false],
  ["older releases, earlier sign-in", document, { generation: undefined, at: earlier }, true],
  ["older releases, no time", document, { generation: undefined, at: undefined }, true],
  ["older release ended a newer sign-in", document, { generation: 1, at: later }, true],
] as const)
  test(`${name}: ${expected ? "ended" : "valid"}`, () => assert.equal(isSignedOut(person, begun), expected));

test("no order of sign-ins and ends by two releases makes an ended sign-in valid again", () => {
  const event = fc.constantFrom("sign in", "end all", "end all by an older release");
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      let person: PortalSignOutDocument | undefined;
      let atMs = Date.parse(document.before);
      const signIns: { readonly generation: number; isEnded: boolean }[] = [];
      for (const each of events) {
        atMs += 1;
        const before = new Date(atMs).toISOString();
        if (each === "sign in") signIns.push({ generation: generationIn(person), isEnded: false });
        else {
          const generation = generationIn(person) + 1;
          person = { ...document, before, ...(each === "end all" ? { generation } : {}) };
          for (const signIn of signIns) signIn.isEnded = true;
        }
        for (const { generation, isEnded } of signIns)
          assert.equal(isSignedOut(person, { generation, at: undefined }), isEnded);
      }
    }),
  );
});

test("keys differ by kind, and names count in any letter case", () => {
  assert.notEqual(signInKey("a"), personKey("a"));
  assert.equal(personKey("Ada@Example.com"), personKey("ada@example.com"));
});

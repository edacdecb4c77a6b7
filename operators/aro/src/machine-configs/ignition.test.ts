import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeDataUrl } from "./data-url.ts";
import { ignitionConfig } from "./ignition.ts";

const user = fc.constantFrom({}, { user: "root" as const });
const file = fc
  .tuple(fc.record({ path: fc.string(), mode: fc.nat(0o777), text: fc.string() }), user)
  .map(([each, owner]) => ({ ...each, ...owner }));
const unit = fc.record({ name: fc.string(), text: fc.string() });

test("its JSON is canonical because the machine config operator hashes it with its property order", () => {
  fc.assert(
    fc.property(fc.array(file), fc.array(unit), (files, units) => {
      const config = ignitionConfig(files, units);
      assert.equal(JSON.stringify(config), JSON.stringify(inOrder(config)));
    }),
  );
});

test("files keep their content and their order", () => {
  fc.assert(
    fc.property(fc.array(file), (files) => {
      const { storage } = ignitionConfig(files) as {
        readonly storage: { readonly files: readonly { readonly contents: { readonly source: string } }[] };
      };
      assert.deepEqual(
        storage.files.map(({ contents }) => decodeDataUrl(contents.source)?.toString()),
        files.map(({ text }) => Buffer.from(text).toString()),
      );
    }),
  );
});

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

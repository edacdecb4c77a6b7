import assert from "node:assert/strict";
import { test } from "node:test";
import { keyFaults } from "./key-faults.ts";

const key = Buffer.alloc(32, 1).toString("base64");

test("each key that is not 32 bytes long is reported by its path, and no key is printed", () => {
  const faults = keyFaults({
    skipTokenKey: "c2hvcnQ=",
    otherSkipTokenKeys: [key, "c2hvcnQ="],
    portal: { signIn: { sessionKeys: ["c2hvcnQ="] } },
    encryption: { current: "a", keys: { a: key, b: "c2hvcnQ=" } },
  });
  assert.deepEqual(
    faults.map((each) => each.split(" ")[0]),
    ["/skipTokenKey", "/otherSkipTokenKeys/1", "/portal/signIn/sessionKeys/0", "/encryption/keys/b"],
  );
  assert.match(
    faults[0] ?? "",
    / must be 32 bytes in base64, not 5\. Create one with "openssl rand -base64 32"$/,
  );
  assert.doesNotMatch(faults.join(), /c2hvcnQ/);
});

test("missing keys and values of other types are left to the schema", () => {
  assert.deepEqual(keyFaults({}), []);
  assert.deepEqual(
    keyFaults({ skipTokenKey: 1, otherSkipTokenKeys: "x", portal: null, encryption: { keys: [] } }),
    [],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatImageReference, parseImageReference } from "./image-reference.ts";

const sha = `sha256:${"a".repeat(64)}`;

test("references are read with ports, tags and digests", () => {
  assert.deepEqual(parseImageReference("quay.io/a/b"), {
    registry: "quay.io",
    repository: "a/b",
    tag: "latest",
  });
  assert.deepEqual(parseImageReference("localhost:5000/a:v1"), {
    registry: "localhost:5000",
    repository: "a",
    tag: "v1",
  });
  const both = { registry: "quay.io", repository: "a/b--c", tag: "4.12.0-x86_64", digest: sha };
  assert.deepEqual(parseImageReference(`quay.io/a/b--c:4.12.0-x86_64@${sha}`), both);
  assert.deepEqual(parseImageReference(`quay.io/a@${sha}`), {
    registry: "quay.io",
    repository: "a",
    digest: sha,
  });
});

for (const text of [
  "",
  "alpine",
  "quay.io/",
  "quay.io/A",
  "quay.io/../a",
  "quay.io/a@sha256:abc",
  `quay.io/a@md5:${"a".repeat(32)}`,
  "https://quay.io/a",
  "quay.io/a b",
  "quay.io/a?x=y",
  "user@quay.io/a",
  `quay.io/${"a".repeat(600)}`,
]) {
  test(`${JSON.stringify(text.slice(0, 40))} is rejected`, () => {
    assert.throws(() => parseImageReference(text), { code: "InvalidReference" });
  });
}

test("a formatted reference is parsed again", () => {
  const name = fc.stringMatching(/^[a-z0-9]{1,8}(?:[._-][a-z0-9]{1,8}){0,2}$/);
  const reference = fc.record(
    {
      registry: fc
        .tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), fc.integer({ min: 1, max: 65535 }))
        .map(([host, port]) => `${host}:${port}`),
      repository: fc.array(name, { minLength: 1, maxLength: 3 }).map((each) => each.join("/")),
      tag: fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/),
      digest: fc.stringMatching(/^sha256:[0-9a-f]{64}$/),
    },
    { requiredKeys: ["registry", "repository", "tag"], noNullPrototype: true },
  );
  fc.assert(
    fc.property(reference, (image) => {
      assert.deepEqual(parseImageReference(formatImageReference(image)), image);
    }),
  );
});

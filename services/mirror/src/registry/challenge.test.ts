import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseChallenge } from "./challenge.ts";

test("challenges as registries send them", () => {
  assert.deepEqual(
    parseChallenge(
      'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull,push"',
    ),
    {
      scheme: "bearer",
      parameters: {
        realm: "https://auth.docker.io/token",
        service: "registry.docker.io",
        scope: "repository:a/b:pull,push",
      },
    },
  );
  assert.deepEqual(parseChallenge('basic realm="a \\"quoted\\" one"'), {
    scheme: "basic",
    parameters: { realm: 'a "quoted" one' },
  });
  assert.deepEqual(parseChallenge('Negotiate, Bearer realm=x , error="invalid_token"'), {
    scheme: "bearer",
    parameters: { realm: "x", error: "invalid_token" },
  });
});

test("an unknown scheme is no challenge", () => {
  for (const text of ["", "Negotiate", "Digest realm=x", "=", ",,,", '"', "a".repeat(9_000)])
    assert.equal(parseChallenge(text), undefined);
});

test("every string is read without an error, and quoted values are returned", () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void parseChallenge(text)));
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", " ", ",", "=", '"', "\\", "/"), maxLength: 30 }),
      (value) => {
        const quoted = value.replaceAll(/["\\]/g, "\\$&");
        assert.deepEqual(parseChallenge(`Bearer service=s, realm="${quoted}"`)?.parameters, {
          service: "s",
          realm: value,
        });
      },
    ),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCertificateAuthority } from "@keelson/base";
import { secureContextOf } from "./secure-contexts.ts";

test("clients with the same CA and the same user share a context, others do not", async () => {
  const [one, other] = await Promise.all(["one", "other"].map((name) => createCertificateAuthority(name, 1)));
  assert.ok(one && other);
  const user = { cert: one.certificatePem, key: one.privateKeyPem };
  const context = secureContextOf({ ca: one.certificatePem });
  assert.equal(secureContextOf({ ca: one.certificatePem, servername: "another.name" }), context);
  assert.notEqual(secureContextOf({ ca: other.certificatePem }), context);
  assert.notEqual(secureContextOf({ ca: one.certificatePem, ...user }), context);
  assert.equal(
    secureContextOf({ ca: one.certificatePem, ...user }),
    secureContextOf({ ...user, ca: one.certificatePem }),
  );
});

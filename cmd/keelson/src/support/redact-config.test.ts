import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldRows, serviceConfigJsonSchema } from "@keelson/env";
import { redactConfig, redactText } from "./redact-config.ts";

const fields = fieldRows(serviceConfigJsonSchema());
const key = Buffer.alloc(32, 7).toString("base64");

test("secrets of a configuration and unknown fields are replaced, all else stays", () => {
  const config = {
    location: "eastus",
    azure: { armEndpoint: "https://arm" },
    firstParty: { clientId: "c", clientSecret: "hunter2-secret" },
    database: { kind: "postgres", url: "postgres://me:p%40ssword@host/db", maxConnections: 5 },
    encryption: { current: "k", keys: { k: key } },
    versions: [{ version: "4.19.1", default: true }],
    portal: {
      url: "https://portal",
      signIn: { clientId: "p", sessionKeys: [key], groups: { access: ["g"] } },
    },
    passwordOfAPlugin: "unknown-to-the-schema",
    keysOfAPlugin: ["unknown-element"],
  };
  const { config: redacted, secrets } = redactConfig(config, fields);
  assert.deepEqual(redacted, {
    ...config,
    firstParty: { clientId: "c", clientSecret: "[REDACTED]" },
    database: { kind: "postgres", url: "[REDACTED]", maxConnections: 5 },
    encryption: { current: "k", keys: "[REDACTED]" },
    portal: { ...config.portal, signIn: { ...config.portal.signIn, sessionKeys: "[REDACTED]" } },
    passwordOfAPlugin: "[REDACTED]",
    keysOfAPlugin: ["[REDACTED]"],
  });
  for (const secret of ["hunter2-secret", "unknown-element", "p@ssword", "p%40ssword", key])
    assert.ok(secrets.includes(secret), secret);
});

test("secrets, tokens and private keys are removed from logs", () => {
  const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln-bmF0dXJl_x";
  const pem = "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----";
  const text = `a p@ssword b ${jwt} c Bearer abcdefgh12345 d ${pem} e ab f`;
  assert.equal(
    redactText(text, ["p@ssword", "ab"]),
    "a [REDACTED] b [REDACTED] c [REDACTED] d [REDACTED] e ab f",
  );
  assert.equal(
    redactText("https://a.blob/c?sv=1&sig=abcdefgh%3D&se=2", []),
    "https://a.blob/c?sv=1&sig=[REDACTED]&se=2",
  );
  assert.equal(redactText("-----BEGIN RSA PRIVATE KEY-----\\nMIIE cut off", []), "[REDACTED]");
});

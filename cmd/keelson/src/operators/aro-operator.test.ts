import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

/** Modules that services, servers or rare operator tasks need. An idle operator must not load them. */
const heavy = [
  ...["@azure/identity", "@azure/core-rest-pipeline", "@azure/keyvault-secrets", "node-forge"],
  ...["ajv", "fastify", "pg", "typebox", "undici", "ws", "@peculiar/x509"],
  ...[
    "@keelson/database",
    "@keelson/openapi",
    "@keelson/operator-kit",
    "@keelson/sim-openshift",
    "@keelson/apiserver",
  ],
];

test("an operator's process begins without what it may never use", async () => {
  const loaded = new Set<string>();
  registerHooks({
    resolve(specifier, context, next) {
      loaded.add(specifier);
      return next(specifier, context);
    },
  });
  await import("./aro-operator.ts");
  assert.ok(loaded.has("@keelson/aro-operator"));
  assert.deepEqual(
    heavy.filter((name) => loaded.has(name)),
    [],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { redacted } from "./redact.ts";

test("managed fields, copies and confidential strings are left out, names of Secrets stay", () => {
  const object = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "a",
      managedFields: [{ manager: "kubectl" }],
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", other: "kept" },
    },
    spec: {
      containers: [
        {
          name: "c",
          env: [
            { name: "DB_PASSWORD", value: "hunter2" },
            { name: "LEVEL", value: "info" },
            { name: "API_TOKEN", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
          ],
        },
      ],
      volumes: [{ secret: { secretName: "pull" } }],
      password: "hunter2",
      internalRegistryPullSecret: "e30=",
      files: [{ contents: { source: "data:,hunter2" } }],
      empty: { token: "" },
    },
  };
  const shown = redacted(object);
  assert.ok(!JSON.stringify(shown).includes("hunter2"));
  assert.deepEqual(shown, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", annotations: { other: "kept" } },
    spec: {
      containers: [
        {
          name: "c",
          env: [
            { name: "DB_PASSWORD", value: "(not shown: 7 characters)" },
            { name: "LEVEL", value: "info" },
            { name: "API_TOKEN", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
          ],
        },
      ],
      volumes: [{ secret: { secretName: "pull" } }],
      password: "(not shown: 7 characters)",
      internalRegistryPullSecret: "(not shown: 4 characters)",
      files: [{ contents: { source: "(not shown: 13 characters)" } }],
      empty: { token: "" },
    },
  });
});

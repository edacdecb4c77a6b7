import assert from "node:assert/strict";
import { test } from "node:test";
import { redactSecrets } from "./redact-secrets.ts";

const password = "c3VwZXJzZWNyZXQ=";
const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, type: "Opaque" };
const syncSet = (spec: object, annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: "hive.openshift.io/v1",
  kind: "SyncSet",
  metadata: { name: "s", annotations },
  spec,
});
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

for (const [name, object] of [
  ["data of a Secret in resources", syncSet({ resources: [{ ...secret, data: { a: password } }] })],
  [
    "stringData of a Secret in resources",
    syncSet({ resources: [{ ...secret, stringData: { a: password } }] }),
  ],
  [
    "a Secret in a List",
    syncSet({ resources: [{ kind: "List", items: [{ ...secret, data: { a: password } }] }] }),
  ],
  ["a patch of a Secret", syncSet({ patches: [{ kind: "Secret", patch: `{"data":{"a":"${password}"}}` }] })],
  ["a malformed Secret", syncSet({ resources: [{ ...secret, data: password }] })],
  ["the last applied configuration", syncSet({}, { [lastApplied]: JSON.stringify({ data: password }) })],
  [
    "the last applied configuration of a Secret",
    syncSet({ resources: [{ ...secret, metadata: { annotations: { [lastApplied]: password } } }] }),
  ],
  [
    "a list of sync sets",
    { kind: "SyncSetList", items: [syncSet({ resources: [{ ...secret, data: { a: password } }] })] },
  ],
] as const)
  test(`redacted: ${name}`, () => {
    const text = JSON.stringify(redactSecrets(object));
    assert.ok(!text.includes(password), text);
    assert.match(text, /REDACTED/);
  });

test("names, keys, references and other kinds stay", () => {
  const config = { kind: "ConfigMap", metadata: { name: "c" }, data: { a: "value" } };
  const secretMappings = [
    { sourceRef: { name: "a", namespace: "b" }, targetRef: { name: "c", namespace: "d" } },
  ];
  const patches = [{ kind: "Deployment", patch: "{}" }];
  const object = syncSet(
    { resources: [{ ...secret, data: { a: password, b: password } }, config], secretMappings, patches },
    { note: "n" },
  );
  assert.deepEqual(redactSecrets(object), {
    ...object,
    spec: {
      resources: [{ ...secret, data: { a: "REDACTED", b: "REDACTED" } }, config],
      secretMappings,
      patches,
    },
  });
});

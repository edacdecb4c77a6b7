import assert from "node:assert/strict";
import { test } from "node:test";
import { redHatKeysOf, registryKeys, withServiceKeys } from "./registry-keys.ts";

const serviceKeys = { "arosvc.azurecr.io": { auth: "c2VydmljZQ==" } };
const service = '"arosvc.azurecr.io":{"auth":"c2VydmljZQ=="}';

const merges: readonly (readonly [name: string, before: string, after: string])[] = [
  ["nothing", "", `{"auths":{${service}}}`],
  ["no JSON", "{auths", `{"auths":{${service}}}`],
  ["a list", "[1]", `{"auths":{${service}}}`],
  ["no keys", "{}", `{"auths":{${service}}}`],
  ["keys that are a list", '{"auths":[1],"a":1}', `{"auths":{${service}},"a":1}`],
  ["keys that are null", '{"auths":null,"a":1}', `{"auths":{${service}},"a":1}`],
  ["the service's keys", `{"auths": {${service}}}`, `{"auths": {${service}}}`],
  [
    "another key of the service's registry",
    '{"auths":{"arosvc.azurecr.io":{"auth":"x","email":"y"}}}',
    `{"auths":{${service}}}`,
  ],
  ["a key that is no object", '{"auths":{"arosvc.azurecr.io":7}}', `{"auths":{${service}}}`],
  [
    "what the customer has besides",
    '{"credsStore":"x","big":9007199254740993,"auths":{"quay.io":{"auth":7},"__proto__":{}}}',
    `{"credsStore":"x","big":9007199254740993,"auths":{"quay.io":{"auth":7},"__proto__":{},${service}}}`,
  ],
];
for (const [name, before, after] of merges)
  test(`the service's keys are put into ${name}`, () => {
    assert.equal(withServiceKeys(before, serviceKeys), after);
    assert.equal(withServiceKeys(after, serviceKeys), after, "and need not be put there again");
  });

test("redHatKeysOf lists registries with a non-empty key, in a fixed order", () => {
  const keys = {
    "registry.connect.redhat.com": { auth: "x" },
    "registry.redhat.io": { auth: "x" },
    "cloud.openshift.com": { auth: "" },
    "quay.io": { auth: "x" },
  };
  assert.deepEqual(redHatKeysOf(keys), ["registry.redhat.io", "registry.connect.redhat.com"]);
  for (const auth of [7, null, {}, ["x"]])
    assert.deepEqual(redHatKeysOf({ "registry.redhat.io": { auth }, "cloud.openshift.com": auth }), []);
});

test("a configuration without keys is empty, other strings are rejected", () => {
  assert.deepEqual(registryKeys("{}"), {});
  for (const text of ["", "[]", "null", '{"auths":7}']) assert.equal(registryKeys(text), undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { graceMs } from "./missing-static-pods.ts";

const key = { namespace: "operand", name: "operand-pod-2" };
const configMap = (data: Readonly<Record<string, string>>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: key,
  data,
});
const manifest = (text: string) => configMap({ "pod.yaml": text });

for (const [title, found, expected] of [
  ["in YAML", manifest("kind: Pod\nspec:\n  terminationGracePeriodSeconds: 194\n"), 194_000],
  ["in JSON", manifest('{"spec":{"terminationGracePeriodSeconds":135}}'), 135_000],
  ["by default", manifest("kind: Pod\nspec: {}\n"), 30_000],
  [
    "not a different field of that name",
    manifest("metadata: {terminationGracePeriodSeconds: 9}\nspec: {}\n"),
    30_000,
  ],
] as const)
  test(`the grace period of a manifest ${title}`, () => assert.equal(graceMs(key, found), expected));

for (const [title, found, message] of [
  ["a missing ConfigMap", undefined, /^configmap "operand-pod-2" not found$/],
  [
    "a ConfigMap without a manifest",
    configMap({}),
    /^didn't find required key "pod\.yaml" in cm: operand-pod-2\/operand$/,
  ],
  ["a manifest that is no YAML", manifest("a: ["), /./],
  ["a manifest that is not an object", manifest("text"), /is not an object$/],
  [
    "a grace period of a different type",
    manifest('spec: {terminationGracePeriodSeconds: "194"}'),
    /^json: cannot unmarshal string into Go struct field PodSpec\.spec\.terminationGracePeriodSeconds of type int64$/,
  ],
] as const)
  test(`${title} is an error`, () => assert.throws(() => graceMs(key, found), { message }));

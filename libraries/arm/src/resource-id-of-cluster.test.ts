import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseResourceIdOfCluster } from "./resource-id-of-cluster.ts";

const subscriptionId = "11111111-1111-4111-8111-111111111111";
const expected = { subscriptionId, type: "Microsoft.Compute/diskEncryptionSets" };
const base = `/subscriptions/${subscriptionId}/resourceGroups/g/providers/Microsoft.Compute/diskEncryptionSets`;

const accepted = [`${base}/des`, `${base.toUpperCase()}/DES`, base.replace("/g/", "/g.(x)_-1/").concat("/d")];
for (const id of accepted) test(`${id} is accepted`, () => assert.ok(parseResourceIdOfCluster(id, expected)));

const refused: Readonly<Record<string, string>> = {
  "a different subscription": `${base.replace(subscriptionId, "22222222-2222-4222-8222-222222222222")}/des`,
  "a different type": `${base.replace("diskEncryptionSets", "disks")}/des`,
  "a different provider": `${base.replace("Compute", "Network")}/des`,
  "a child": `${base}/des/children/c`,
  "dot segments": `${base}/../../x`,
  "a name of dots": `${base}/..`,
  "a resource group of dots": `${base.replace("/g/", "/../")}/des`,
  "a fragment": `${base}/des#`,
  "a query": `${base}/des?x`,
  "an encoded segment": `${base}/%2e%2e`,
  "a backslash": `${base}/a\\b`,
  "a space": `${base}/a b`,
  "no ID": "des",
};
for (const [name, id] of Object.entries(refused))
  test(`${name} is refused`, () => assert.equal(parseResourceIdOfCluster(id, expected), undefined));

test("an accepted ID is the path of its own URL", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab./.%?#\\()_- é") }), (name) => {
      const id = `${base}/${name}`;
      if (parseResourceIdOfCluster(id, expected) === undefined) return;
      assert.equal(new URL(`https://management.azure.com${id}`).pathname, id);
    }),
  );
});

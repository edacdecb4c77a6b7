import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { credentialName } from "./federated-credentials.ts";

const account = (name: string) => `system:serviceaccount:openshift-workload:${name}`;

for (const [cluster, serviceAccount, name] of [
  ["cluster", "workload", "cluster_workload_349am2dqy70btntezt18mal0cz703mymlrsuxrass3h6"],
  [
    "c".repeat(80),
    "azure-file-csi-driver-controller-sa",
    "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc_dcri0zvxo341268pihh1ju0sm59saxvrteshnsajn7b",
  ],
] as const) {
  test(`the credential of ${serviceAccount} in ${cluster} has the name of the original's scheme`, () => {
    assert.equal(credentialName(cluster, "identity", account(serviceAccount)), name);
  });
}

test("names are such that Azure takes them, and differ by cluster, identity and account", () => {
  const text = fc.stringMatching(/^[a-z][a-z0-9-]{0,90}[a-z0-9]$/);
  fc.assert(
    fc.property(text, text, text, (cluster, identity, name) => {
      const made = credentialName(cluster, identity, account(name));
      assert.match(made, /^[a-z0-9][\w-]{2,119}$/);
      assert.notEqual(made, credentialName(cluster, `${identity}2`, account(name)));
      assert.notEqual(made, credentialName(cluster, identity, account(`${name}2`)));
      assert.notEqual(made, credentialName(`${cluster}2`, identity, account(name)));
    }),
  );
});

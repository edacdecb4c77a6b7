import assert from "node:assert/strict";
import { test } from "node:test";
import { parseInstallFlags, parsePruneFlags } from "./flags.ts";
import { revisionOf } from "./settle-revisions.ts";

const needed = ["--revision=3", "--namespace=n", "--pod=p", "--resource-dir=/r", "--pod-manifest-dir=/m"];

test("flags are read as the operators write them: repeated, with commas, with levels of logging", () => {
  const flags = parseInstallFlags([
    "-v=4",
    ...needed,
    "--configmaps=a,b",
    "--configmaps=c",
    "--optional-secrets",
    "s",
    "--cert-dir=/c",
    "--cert-secrets=x",
    "--pod-manifests-lock-file=/var/lock/l",
    "--timeout-duration=1m30s",
  ]);
  assert.equal(flags.revision, 3);
  assert.deepEqual(flags.revisioned, {
    configMaps: ["a", "b", "c"],
    optionalConfigMaps: [],
    secrets: [],
    optionalSecrets: ["s"],
  });
  assert.deepEqual([flags.certDir, flags.certs.secrets, flags.timeoutMs], ["/c", ["x"], 90_000]);
  const pruned = parsePruneFlags([
    "--max-eligible-revision=4",
    "--protected-revisions=1,2",
    "--protected-revisions=4",
    "--resource-dir=/r",
    "--static-pod-name=p",
  ]);
  assert.deepEqual([...pruned.protectedRevisions], [1, 2, 4]);
});

const refused: readonly (readonly [name: string, args: readonly string[], message: RegExp])[] = [
  ["no revision", [...needed.slice(1), "--configmaps=a"], /--revision is required/],
  [
    "a revision that is none",
    ["--revision=x", ...needed.slice(1), "--configmaps=a"],
    /"x" is not a revision/,
  ],
  ["no ConfigMaps", needed, /--configmaps is required/],
  ["a duration that is none", [...needed, "--configmaps=a", "--timeout-duration=2"], /"2" is not a duration/],
];
for (const [name, args, message] of refused)
  test(`an installer with ${name} is rejected`, () => assert.throws(() => parseInstallFlags(args), message));

test("the name of an installer pod contains its revision", () => {
  const pod = (name: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
  assert.deepEqual(
    ["installer-7-master-0", "installer-12-retry-1-master-0", "installer-x", "other-1-a"].map((name) =>
      revisionOf(pod(name)),
    ),
    [7, 12, undefined, undefined],
  );
});

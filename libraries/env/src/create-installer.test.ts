import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { createCertificateAuthority, Secret } from "@keelson/base";
import { connectKube, createKubeconfig } from "@keelson/kube";
import { createInstaller } from "./create-installer.ts";
import { type InstallerConfig, installerProblems } from "./installer-config.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-env-"));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const kube = connectKube({
  kubeconfig: createKubeconfig({
    server: "https://hive.example:6443",
    clientCertificatePem: "C",
    clientKeyPem: "K",
    clusterName: "hive",
    userName: "keelson",
  }),
  userAgent: "test",
  fieldManager: "test",
});
after(() => kube[Symbol.asyncDispose]());
const deps = {
  firstParty: { tenantId: "t", clientId: "c", clientSecret: new Secret("s") },
  subscriptionId: "s",
  hive: kube,
};

const pullSecretFile = file("pull-secret.json", '{"auths":{}}');
const caFile = file("ca.pem", (await createCertificateAuthority("clusters", 1)).certificatePem);
const graphKeyFile = file("graph.key", Buffer.alloc(64).toString("base64"));
const workingFolder = join(folder, "installs");
const installerProcess = {
  kind: "openshift-install" as const,
  command: [process.execPath],
  workingFolder,
  environment: {},
  timeoutMs: 60_000,
};
const hive = { kind: "hive" as const, graphKeyFile, environment: {} };

for (const config of [
  { kind: "simulated", clustersUrl: "https://clusters", caFile },
  { ...installerProcess, pullSecretFile },
  { ...hive, pullSecretFile, registry: "registry.example", installerPullspec: "registry.example/installer" },
] satisfies InstallerConfig[]) {
  test(`an installer of the kind ${config.kind} is made`, () => {
    assert.deepEqual(installerProblems(config, true), []);
    assert.equal(typeof createInstaller(config, deps).generate, "function");
  });
}

test("the working folder is made for its owner alone", () => {
  createInstaller(installerProcess, deps);
  assert.equal(statSync(workingFolder).mode & 0o777, 0o700);
});

const plain = file("plain.txt", "text");
chmodSync(plain, 0o600);
for (const [name, config, says] of [
  [
    "a program that is not there",
    { ...installerProcess, command: ["/nowhere"] },
    /installer\.command: \/nowhere cannot be used/,
  ],
  ["a program that is none", { ...installerProcess, command: [plain] }, /installer\.command/],
  ["a folder that is a file", { ...installerProcess, workingFolder: plain }, /installer\.workingFolder/],
  ["a pull secret that is none", { ...hive, pullSecretFile: plain }, /installer\.pullSecretFile.*`auths`/],
  ["a key that is not there", { ...hive, graphKeyFile: join(folder, "none") }, /installer\.graphKeyFile/],
] satisfies [string, InstallerConfig, RegExp][]) {
  test(`refused with its member: ${name}`, () => assert.throws(() => createInstaller(config, deps), says));
}

for (const [name, installer, hasHive, says] of [
  ["no kind", {}, true, /^\/installer\/kind must be one of simulated, openshift-install, hive$/],
  ["an unknown kind", { kind: "podman" }, true, /installer\/kind/],
  ["nothing", undefined, true, /installer\/kind/],
  [
    "a relative program",
    { ...installerProcess, command: ["openshift-install"] },
    true,
    /installer\/command\/0 .*absolute/,
  ],
  ["a member of another kind", { ...installerProcess, graphKeyFile }, true, /\/installer\/graphKeyFile/],
  ["Hive's installer without Hive", hive, false, /^\/hive .*kubeconfigFile/],
  [
    "a variable that is none",
    { ...installerProcess, environment: { "A-B": "" } },
    true,
    /installer\/environment/,
  ],
] as const) {
  test(`a configuration is refused for ${name}`, () => {
    const problems = installerProblems(installer, hasHive);
    assert.match(problems.join("; "), says);
  });
}

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { connectKube, createKubeconfig } from "@keelson/kube";
import { Type } from "typebox";
import { parseServiceConfig } from "../config/service-config.ts";
import { installerKind } from "./installer-kind.ts";
import {
  createInstaller,
  type InstallerConfig,
  installerKinds,
  installerProblems,
} from "./installer-kinds.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-env-"));
after(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
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
const deps = { hive: kube };

const pullSecretFile = file("pull-secret.json", '{"auths":{}}');
const graphKeyFile = file("graph.key", Buffer.alloc(64).toString("base64"));
const workingFolder = join(directory, "installs");
const installerProcess = {
  kind: "aro-installer" as const,
  command: [process.execPath],
  workingFolder,
  graphKeyFile,
  environment: {},
  processEnvironment: { HTTPS_PROXY: "http://proxy" },
  timeoutMs: 60_000,
};
const hive = { kind: "hive" as const, graphKeyFile, environment: {} };

for (const config of [
  { ...installerProcess, pullSecretFile },
  { ...hive, pullSecretFile, registry: "registry.example", installerPullspec: "registry.example/installer" },
] satisfies InstallerConfig[]) {
  test(`an installer of the kind ${config.kind} is made`, async () => {
    assert.deepEqual(installerProblems(config, true, installerKinds), []);
    assert.equal(typeof (await createInstaller(config, deps, installerKinds)).generate, "function");
  });
}

test("only the owner can access the working directory", async () => {
  await createInstaller(installerProcess, deps, installerKinds);
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
  ["a file that is not a program", { ...installerProcess, command: [plain] }, /installer\.command/],
  ["a directory that is a file", { ...installerProcess, workingFolder: plain }, /installer\.workingFolder/],
  ["an invalid pull secret", { ...hive, pullSecretFile: plain }, /installer\.pullSecretFile.*`auths`/],
  ["a key that is not there", { ...hive, graphKeyFile: join(directory, "none") }, /installer\.graphKeyFile/],
] satisfies [string, InstallerConfig, RegExp][]) {
  test(`the field is rejected: ${name}`, () =>
    assert.rejects(createInstaller(config, deps, installerKinds), says));
}

for (const [name, installer, hasHive, says] of [
  ["no kind", {}, true, /^\/installer\/kind must be one of aro-installer, hive$/],
  ["an unknown kind", { kind: "podman" }, true, /installer\/kind/],
  [
    "a kind of earlier releases",
    { kind: "openshift-install", command: [process.execPath], workingFolder },
    true,
    /^\/installer\/kind openshift-install is no longer supported: set it to "aro-installer", .*graphKeyFile .*processEnvironment/,
  ],
  ["nothing", undefined, true, /installer\/kind/],
  [
    "a relative program",
    { ...installerProcess, command: ["aro-installer"] },
    true,
    /installer\/command\/0 .*absolute/,
  ],
  ["a field of a different kind", { ...hive, workingFolder }, true, /\/installer\/workingFolder/],
  [
    "a process without the key of the graph",
    { ...installerProcess, graphKeyFile: undefined },
    true,
    /graphKeyFile/,
  ],
  [
    "development mode without the files of its proxy",
    { ...hive, environment: { RP_MODE: "Development" } },
    true,
    /^\/installer\/developmentProxy is required/,
  ],
  [
    "a development proxy without a key",
    { ...hive, developmentProxy: { certificateFile: "c", clientCertificateFile: "c" } },
    true,
    /\/installer\/developmentProxy.*clientKeyFile/,
  ],
  ["Hive's installer without Hive", hive, false, /^\/hive .*kubeconfigFile/],
  [
    "a process in development mode without the files of its proxy",
    { ...installerProcess, environment: { RP_MODE: "development" } },
    true,
    /^\/installer\/developmentProxy is required/,
  ],
  [
    "an invalid variable",
    { ...installerProcess, environment: { "A-B": "" } },
    true,
    /installer\/environment/,
  ],
  [
    "an invalid variable of the process",
    { ...installerProcess, processEnvironment: { "A-B": "" } },
    true,
    /installer\/processEnvironment/,
  ],
] as const) {
  test(`a configuration is refused for ${name}`, () => {
    const problems = installerProblems(installer, hasHive, installerKinds);
    assert.match(problems.join("; "), says);
  });
}

test("a program can add a kind", async () => {
  const made = await createInstaller(installerProcess, deps, installerKinds);
  const schema = Type.Object(
    { kind: Type.Literal("added"), url: Type.String(), retries: Type.Integer({ default: 3 }) },
    { additionalProperties: false },
  );
  const asked: unknown[] = [];
  const added = installerKind({
    schema,
    create(config) {
      asked.push(config);
      return made;
    },
  });
  const kinds = { ...installerKinds, added };
  assert.match(installerProblems({ kind: "added" }, false, kinds).join("; "), /url/);
  assert.match(
    installerProblems({ kind: "none" }, false, kinds).join("; "),
    /one of aro-installer, hive, added$/,
  );
  const filled = added.withDefaults({ kind: "added", url: "u" });
  assert.deepEqual(filled, { kind: "added", url: "u", retries: 3 });
  assert.deepEqual(installerProblems(filled, false, kinds), []);
  assert.equal(await createInstaller({ kind: "added", url: "u", retries: 3 }, deps, kinds), made);
  assert.deepEqual(asked, [{ kind: "added", url: "u", retries: 3 }]);
  assert.throws(
    () => parseServiceConfig({ installer: { kind: "added", url: 1 } }, "test", kinds),
    /\/installer\/url/,
  );
});

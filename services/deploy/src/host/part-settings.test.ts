import assert from "node:assert/strict";
import { test } from "node:test";
import { cloudOf } from "../config/cloud.ts";
import { resolveRegion } from "../config/resolve-region.ts";
import { exampleConfiguration, exampleRegion } from "../testing/example-region.ts";
import { type PartSettings, partsOf } from "./part-settings.ts";
import type { PartName } from "./parts.ts";
import { serviceSettings } from "./service-settings.ts";

/** Returns the settings of a region with every kind of secret that a machine can have. */
function settingsOf(service: object, serviceFiles: object) {
  const configuration = {
    ...exampleConfiguration,
    databaseKind: "postgres",
    portalClientId: "00000000-0000-0000-0000-000000000001",
    portalAccessGroupIds: ["00000000-0000-0000-0000-000000000002"],
    serviceFiles,
    service,
  };
  const region = resolveRegion({ rps: [exampleRegion], configuration }, "eastus", "test");
  return serviceSettings({
    region,
    cloud: cloudOf(region.configuration),
    vaultUrl: "https://keelson-eus-svc.vault.azure.net",
    identityClientId: "c",
    skipTokenVersion: "v1",
    version: "v1",
    portal: { sessionKeyVersions: ["v1"], sshKeyVersion: "v1", sshHostKey: "ecdsa-sha2-nistp256 AAAA" },
  });
}

const parts = partsOf(
  settingsOf(
    {
      installer: {
        kind: "hive",
        graphKeyFile: "/run/keelson/graph-key",
        pullSecretFile: "/run/keelson/pull-secret",
      },
      hive: { kubeconfigFile: "/run/keelson/hive-kubeconfig" },
      portal: { ssh: { proxy: { url: "https://proxy", keyFile: "/run/keelson/proxy-key" } } },
    },
    {
      "graph-key": "graph",
      "pull-secret": "pull",
      "hive-kubeconfig": "hive",
      "proxy-key": "proxy",
    },
  ),
);

function secretsOf(name: PartName): readonly string[] {
  const { service, files } = parts.find((part) => part.name === name) ?? assert.fail(name);
  const inConfiguration = [...JSON.stringify(service).matchAll(/"\$secret":"([^"]+)"/g)].map(
    ([, secret]) => secret ?? "",
  );
  const inFiles = files.flatMap((file) => {
    if ("text" in file) return [];
    if ("content" in file) return [file.content.$secret];
    return [file.keyFile === undefined ? `${file.secret} (certificate)` : file.secret];
  });
  return [...new Set([...inConfiguration, ...inFiles])].toSorted();
}

const shared = ["database-password", "rp-firstparty"];
for (const [name, secrets] of [
  ["rp", ["fe-encryption-key", "graph", "hive", "portal-server (certificate)", "pull", "rp-server"]],
  ["mimo-actuator", ["hive"]],
  ["mimo-scheduler", []],
  ["monitor", ["hive"]],
  ["portal", ["portal-client", "portal-server", "portal-session-key", "portal-sshkey", "proxy"]],
] as const)
  test(`secrets of the part ${name}: ${[...shared, ...secrets].join(", ")}`, () => {
    assert.deepEqual(secretsOf(name), [...shared, ...secrets].toSorted());
  });

/** Returns all strings of a configuration that are file paths on the machine. */
function pathsIn(settings: PartSettings): readonly string[] {
  return [...JSON.stringify(settings.service).matchAll(/"(\/run\/keelson\/[^"]+)"/g)].map(
    ([, path]) => path ?? "",
  );
}

test("a part's configuration names only files of its own directory, which all exist", () => {
  for (const part of parts) {
    const files = part.files.flatMap((file) =>
      "secret" in file ? [file.certificateFile, file.keyFile ?? []].flat() : [file.name],
    );
    assert.deepEqual(
      [...new Set(pathsIn(part))].toSorted(),
      files.map((file) => `/run/keelson/${part.name}/${file}`).toSorted(),
    );
  }
});

test("a file is distinct from one with a longer name", () => {
  const settings = settingsOf(
    { hive: { kubeconfigFile: "/run/keelson/hive" }, telemetry: { note: "/run/keelson/hive.old" } },
    { hive: "hive", "hive.old": "old" },
  );
  const [rp] = partsOf(settings);
  assert.deepEqual(rp?.service.hive, { kubeconfigFile: "/run/keelson/rp/hive" });
  assert.deepEqual(rp?.service.telemetry, { note: "/run/keelson/rp/hive.old" });
});

test("serviceFiles with a file that no field names is rejected", () => {
  assert.throws(() => settingsOf({ hive: { kubeconfigFile: "/run/keelson/hive" } }, { hiv: "hive" }), {
    code: "InvalidDeployConfiguration",
    message: /names the file \/run\/keelson\/hiv\. Name it there/,
  });
});

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { cloudOf } from "../config/cloud.ts";
import { resolveRegion } from "../config/resolve-region.ts";
import { exampleConfiguration, exampleRegion } from "../testing/example-region.ts";
import { cloudInit } from "./cloud-init.ts";
import { rpParts } from "./parts.ts";
import { parseHostSettings } from "./prepare-host.ts";
import { serviceSettings } from "./service-settings.ts";

const region = resolveRegion({ rps: [exampleRegion], configuration: exampleConfiguration }, "eastus", "test");
const settings = serviceSettings({
  region,
  cloud: cloudOf(region.configuration),
  vaultUrl: "https://keelson-eus-svc.vault.azure.net",
  identityClientId: "c",
  skipTokenVersion: "v1",
  version: "v1",
});

interface CloudConfig {
  readonly packages: readonly string[];
  readonly write_files: readonly { readonly path: string; readonly content: string }[];
  readonly runcmd: readonly (readonly string[])[];
}

const text = cloudInit({
  image: "keelsonimages.azurecr.io/keelson:v1",
  parts: rpParts("info", true),
  settings,
  identityClientId: "c",
  tenantId: "t",
  armAudience: "https://management.azure.com/",
});
const config: CloudConfig = parse(text);
const fileAt = (path: string) => config.write_files.find((each) => each.path === path)?.content ?? "";
const unit = (name: string) => fileAt(`/etc/systemd/system/${name}`);

test("a machine starts each part of the service from the image of its version, with its configuration", () => {
  assert.match(text, /^#cloud-config\n/);
  for (const [part, args] of Object.entries({
    "keelson-rp": "rp",
    "keelson-mimo-actuator": "maintenance actuator",
    "keelson-mimo-scheduler": "maintenance scheduler",
    "keelson-monitor": "monitor",
    "keelson-portal": "portal",
  })) {
    const start = /^ExecStart=(.*)$/m.exec(unit(`${part}.service`))?.[1] ?? "";
    assert.ok(
      start.includes(
        `keelsonimages.azurecr.io/keelson:v1 ${args} --config /run/keelson/${part.replace("keelson-", "")}/service.json`,
      ),
      start,
    );
    assert.match(unit(`${part}.service`), /^PartOf=keelson\.target$/m, "the target stops all at once");
    assert.match(unit(`${part}.service`), /^After=keelson-host\.service /m);
  }
  assert.match(
    unit("keelson-host.service"),
    / host-config --settings \/etc\/keelson\/host\.json --directory \/run\/keelson$/m,
  );
  assert.deepEqual(config.runcmd.at(0), ["systemctl", "daemon-reload"]);
  assert.deepEqual(config.runcmd.at(1)?.slice(4), [
    "keelson.target",
    "keelson-host.timer",
    "keelson-rp.service",
    "keelson-mimo-actuator.service",
    "keelson-mimo-scheduler.service",
    "keelson-monitor.service",
    "keelson-portal.service",
  ]);
});

const users = {
  "keelson-host": 65_532,
  "keelson-rp": 65_521,
  "keelson-mimo-actuator": 65_522,
  "keelson-mimo-scheduler": 65_523,
  "keelson-monitor": 65_524,
  "keelson-portal": 65_525,
};

test("each part has its own user, which may only bind low ports, and reads only its own directory", () => {
  const host = unit("keelson-host.service");
  for (const [name, user] of Object.entries(users)) {
    const content = unit(`${name}.service`);
    assert.match(
      content,
      new RegExp(
        ` --user ${user}:${user} --cap-drop all --cap-add NET_BIND_SERVICE --security-opt no-new-privileges --read-only `,
      ),
    );
    if (name === "keelson-host") continue;
    const directory = `/run/keelson/${name.replace("keelson-", "")}`;
    assert.deepEqual(
      [...content.matchAll(/--volume (\S+)/g)].map(([, mount]) => mount),
      [`${directory}:${directory}:ro`],
    );
    const install = `ExecStartPre=/usr/bin/install --directory --mode 2750 --owner 65532 --group ${user} ${directory}`;
    assert.ok(host.split("\n").includes(install), install);
  }
  // systemd creates this directory with owner root.
  assert.match(host, /^ExecStartPre=\/usr\/bin\/chown 65532:65532 \/run\/keelson$/m);
});

test("parts start only after the rule that closes the metadata service for their users", () => {
  assert.match(
    unit("keelson-metadata.service"),
    /^ExecStart=\/usr\/sbin\/nft --file \/etc\/keelson\/metadata\.nft$/m,
  );
  assert.match(
    fileAt("/etc/keelson/metadata.nft"),
    /ip daddr 169\.254\.169\.254 meta skuid != \{ 0, 65532 \} reject/,
  );
  assert.ok(config.packages.includes("nftables"));
  for (const name of Object.keys(users).filter((each) => each !== "keelson-host")) {
    assert.match(unit(`${name}.service`), /^Requires=keelson-metadata\.service$/m);
    assert.match(unit(`${name}.service`), /^After=.* keelson-metadata\.service$/m);
  }
});

test("each part has a port for its metrics, the portal only where there is one", () => {
  const ports = rpParts("info", true).flatMap(
    ({ args }) => /--metrics-port (\d+)/.exec(args.join(" "))?.[1] ?? [],
  );
  assert.deepEqual(ports, ["445", "446", "447", "448"]);
  const names = rpParts("info", false).map(({ name }) => name);
  assert.ok(names.includes("monitor") && !names.includes("portal"), names.join(" "));
});

test("systemd waits for longer than the service takes to drain", () => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit("keelson-rp.service"))?.[1]);
  const podman = Number(/podman stop .*--time (\d+)/.exec(unit("keelson-rp.service"))?.[1]);
  assert.ok(podman >= 80 + 60 && seconds > podman, `${podman} and ${seconds}`);
});

test("a machine gets references to secrets, but no secret", () => {
  const told = parseHostSettings(fileAt("/etc/keelson/host.json"), "host.json");
  assert.deepEqual(told, settings);
  assert.deepEqual(told.service.firstParty, {
    clientId: exampleConfiguration.fpClientId,
    clientSecret: { $secret: "rp-firstparty" },
  });
  assert.deepEqual(told.service.skipTokenKey, { $secret: "fe-encryption-key", version: "v1" });
  assert.deepEqual(told.service.database, {
    kind: "cosmos",
    endpoint: "https://keelson-documents.documents.azure.com",
  });
});

test("podman signs in to the registry with the machine's token, which is in no argument", () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-login-"));
  try {
    const log = join(directory, "log");
    const fake = (name: string, script: string) => {
      writeFileSync(join(directory, name), `#!/bin/sh\necho "${name} $*" >> '${log}'\n${script}\n`);
      chmodSync(join(directory, name), 0o755);
    };
    fake(
      "curl",
      `case "$*" in *169.254.169.254*) printf '{"access_token":"machine","token_type":"Bearer"}';;
      *) printf '{"refresh_token":"%s-registry"}' "$(cat)";; esac`,
    );
    fake("podman", `cat > '${join(directory, "password")}'`);
    const script = join(directory, "login");
    writeFileSync(script, fileAt("/usr/local/sbin/keelson-registry-login"));
    const { status, stderr } = spawnSync("sh", [script], {
      encoding: "utf8",
      env: { PATH: `${directory}:/usr/bin:/bin` },
    });
    assert.equal(status, 0, stderr);
    assert.equal(readFileSync(join(directory, "password"), "utf8").trim(), "machine-registry");
    const calls = readFileSync(log, "utf8");
    assert.match(calls, /client_id=c&resource=https%3A%2F%2Fmanagement\.azure\.com%2F/);
    assert.match(calls, /https:\/\/keelsonimages\.azurecr\.io\/oauth2\/exchange/);
    assert.match(calls, /podman login .*--password-stdin keelsonimages\.azurecr\.io/);
    assert.doesNotMatch(calls, /machine-registry/);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("the configured service properties have priority over derived ones, at every depth", () => {
  const own = {
    ...exampleConfiguration,
    service: {
      certificateIssuer: { kind: "local", caFile: "ca" },
      workers: 7,
      azure: { pollIntervalMs: 500 },
      hive: { kubeconfigFile: "/run/keelson/hive-kubeconfig" },
    },
    databaseKind: "postgres",
    serviceFiles: { "hive-kubeconfig": "hive" },
  };
  const told = serviceSettings({
    region: resolveRegion({ rps: [exampleRegion], configuration: own }, "eastus", "test"),
    cloud: cloudOf(region.configuration),
    vaultUrl: "https://v",
    identityClientId: "c",
    skipTokenVersion: "v1",
    version: "v1",
  });
  assert.equal(told.service.workers, 7);
  assert.equal(told.service.operatorImage, "keelsonimages.azurecr.io/keelson:v1");
  assert.deepEqual(told.service.certificateIssuer, { kind: "local", caFile: "ca" }, "of another kind");
  assert.deepEqual(told.files.at(-1), { name: "hive-kubeconfig", content: { $secret: "hive" } });
  assert.deepEqual(told.service.azure, {
    armEndpoint: "https://management.azure.com",
    loginEndpoint: "https://login.microsoftonline.com",
    audience: "https://management.azure.com/",
    pollIntervalMs: 500,
  });
  assert.deepEqual(told.service.database, {
    kind: "postgres",
    url: {
      $secret: "database-password",
      in: "postgres://keelson:{secret}@keelson-documents.postgres.database.azure.com:5432/keelson?sslmode=verify-full",
    },
  });
});

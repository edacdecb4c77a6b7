import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { resourceKey } from "@keelson/arm";
import { Secret, silentLogger } from "@keelson/base";
import {
  create,
  createKeyring,
  generateKey,
  openDatabase,
  openSecret,
  postgresDriver,
} from "@keelson/database";
import { type PostgresServer, startPostgres } from "@keelson/database/testing";
import { definitions } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { clusterDocumentText, sealedText } from "./cluster-document.ts";
import { runUpdateVersions } from "./publish-documents.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-db-"));
const signal = AbortSignal.timeout(900_000);
const key = generateKey();
const keyring = createKeyring({ current: "k", keys: { k: key } });
const subscriptionId = "11111111-1111-4111-8111-111111111111";
const cluster = newCluster({
  name: "demo",
  subscriptionId,
  principal: { clientId: "client", clientSecret: new Secret("hunter2") },
});
const config = join(directory, "service.json");
const flags = { state: directory, config };
let postgres: PostgresServer;
let url: string;

before(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
  await using database = await openDatabase({
    driver: postgresDriver({ url }),
    definitions,
    keyring,
    logger: silentLogger,
    signal,
  });
  const document = {
    id: "some-id",
    partitionKey: subscriptionId,
    key: resourceKey(cluster.id),
    clusterResourceGroupIdKey: "g",
    clientIdKey: "c",
    bucket: 1,
    openShiftCluster: cluster,
  };
  await database.commit(subscriptionId, [create(database.collections.clusters, document)], { signal });
  const azure = "https://localhost:1";
  writeFileSync(
    config,
    JSON.stringify({
      location: "eastus",
      domain: "example.org",
      tenantId: "t",
      subscriptionId,
      resourceGroup: "g",
      tls: { certificateFile: "a", keyFile: "b" },
      callers: { kind: "anyone" },
      azure: { armEndpoint: azure, loginEndpoint: azure, audience: azure },
      firstParty: { clientId: "c", clientSecret: "d" },
      database: { kind: "postgres", url },
      encryption: { current: "k", keys: { k: Buffer.from(key).toString("base64") } },
      skipTokenKey: Buffer.from(key).toString("base64"),
      installer: {
        kind: "aro-installer",
        command: ["/bin/false"],
        workingFolder: directory,
        graphKeyFile: "k",
      },
      operatorImage: "registry.example.com/keelson:v1",
      certificateIssuer: { kind: "local", caFile: "a", caKeyFile: "b" },
    }),
  );
});
after(async () => {
  rmSync(directory, { recursive: true, force: true });
  await postgres[Symbol.asyncDispose]();
});

test("the document of a cluster has its secrets only where they are asked for", async () => {
  const shown = await clusterDocumentText(cluster.id.toUpperCase(), flags, signal);
  assert.equal(
    JSON.parse(shown).openShiftCluster.properties.servicePrincipalProfile.clientSecret,
    "[REDACTED]",
  );
  assert.doesNotMatch(shown, /hunter2/);
  const whole = JSON.parse(await clusterDocumentText(cluster.id, { ...flags, showSecrets: true }, signal));
  assert.equal(whole.openShiftCluster.properties.servicePrincipalProfile.clientSecret, "hunter2");
  assert.equal(whole.id, "some-id");
});

test("clusters that are not there, and what is no ID, are named", async () => {
  await assert.rejects(clusterDocumentText(`${cluster.id}x`, flags, signal), { code: "UnknownCluster" });
  await assert.rejects(clusterDocumentText("demo", flags, signal), {
    code: "UnknownCluster",
    message: /no resource ID/,
  });
});

test("a text is sealed for its place, and opens there", async () => {
  const file = join(directory, "text");
  writeFileSync(file, "new secret");
  const path = "openShiftCluster.properties.servicePrincipalProfile.clientSecret";
  const sealed = JSON.parse(await sealedText({ ...flags, cluster: cluster.id, path, file }, signal));
  const place = { collection: definitions.clusters.name, partitionKey: subscriptionId, id: "some-id", path };
  assert.equal(openSecret(sealed, place, keyring), "new secret");
  assert.throws(() => openSecret(sealed, { ...place, id: "other" }, keyring), { code: "SecretTampered" });
  const open = { ...flags, cluster: cluster.id, path: "openShiftCluster.name", file };
  await assert.rejects(sealedText(open, signal), { code: "NotSecret" });
});

test("versions of the environment are published; two defaults are refused before the database is opened", async () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const image = { publisher: "azureopenshift", offer: "aro4", sku: "aro_419", version: "419.6.20250523" };
  const environment = (streams: object) => ({
    DST_ACR_NAME: "arosvc",
    OPENSHIFT_VERSIONS: Buffer.from(JSON.stringify(streams)).toString("base64"),
    INSTALLER_IMAGE_DIGESTS: JSON.stringify({ "4.19": digest }),
    MACHINE_IMAGES: JSON.stringify({ "4.19": { hyperVGen1: image } }),
  });
  const publish = (streams: object) =>
    runUpdateVersions({ ...flags, output: "json", dryRun: false }, environment(streams), signal);
  const two = { DefaultStream: { "4.19.1": "a", "4.19.2": "b" } };
  await assert.rejects(publish(two), {
    code: "InvalidStreams",
    message: "DefaultStream must have exactly 1 entry, found 2",
  });
  await assert.rejects(runUpdateVersions({ ...flags, output: "json" }, {}, signal), {
    code: "SettingMissing",
    message: "unset in the environment: OPENSHIFT_VERSIONS, INSTALLER_IMAGE_DIGESTS",
  });
  await publish({ DefaultStream: { "4.19.1": "quay.io/a" } });
  await using database = await openDatabase({
    driver: postgresDriver({ url }),
    definitions,
    keyring,
    logger: silentLogger,
    signal,
  });
  const { items } = await database.collections.versions.list({ limit: 10 }, signal);
  assert.deepEqual(
    items.map(({ document }) => document.openShiftVersion.properties),
    [
      {
        version: "4.19.1",
        openShiftPullspec: "quay.io/a",
        installerPullspec: `arosvc.azurecr.io/aro-installer:4.19@${digest}`,
        machineImages: { hyperVGen1: image },
        enabled: true,
        default: true,
      },
    ],
  );
});

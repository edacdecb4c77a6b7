/** Tests how unmodified `az` finds the simulated Azure, and the sign-in methods of `az`. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { type Az, type AzVersion, azVersions } from "./support/az.ts";
import type { AzWorld } from "./support/az-world.ts";
import { withBothReleases } from "./support/both-releases.ts";
import { Recorder } from "./support/recorder.ts";
import { TokenIssuer } from "./support/token-issuer.ts";

withBothReleases("az", [], (version, world) => {
  foundBy(version, world);
  signInsOf(version, world);
});

/** Defines tests of `az` configurations. The recorder rejects and records requests to hosts outside of the simulated Azure. */
function foundBy(version: AzVersion, world: () => AzWorld): void {
  let recorder: Recorder;
  let arm: string;
  let registered: Az;
  before(async () => {
    arm = world().endpoints.arm;
    recorder = await Recorder.start(world().state, arm);
    registered = plain("registered");
  });
  after(() => recorder[Symbol.asyncDispose]());

  /** Returns an `az` that trusts the CA. Apart from the CA, it has no settings of the simulated Azure. */
  const plain = (name: string, change: Record<string, string | undefined> = {}) =>
    world().az(version, `${version}-${name}`, {
      ...recorder.environment,
      ...{ AZURE_CORE_INSTANCE_DISCOVERY: undefined, AZURE_AUTHORITY_HOST: undefined },
      ...change,
    });

  test("registers the simulated Azure as a cloud, its address with a slash or without", async () => {
    for (const [name, address] of [
      ["Slash", `${arm}/`],
      ["Keelson", arm],
    ] as const) {
      await registered.text("cloud", "register", "--name", name, "--endpoint-resource-manager", address);
      const { endpoints } = await registered.json("cloud", "show", "--name", name);
      const { resourceManager, activeDirectory, microsoftGraphResourceId } = endpoints;
      assert.deepEqual(
        [resourceManager, activeDirectory, microsoftGraphResourceId],
        [address, arm, `${arm}/`],
      );
    }
  });

  test("works in the registered cloud: resources, roles, the directory", async () => {
    await registered.text("cloud", "set", "--name", "Keelson");
    await registered.text("config", "set", "core.instance_discovery=false");
    const [account] = await registered.signIn(world().endpoints);
    assert.equal(account?.id, world().endpoints.subscriptionId);
    const name = `registered-${version}`;
    await registered.text("group", "create", "--name", name, "--location", "eastus");
    const { clientId } = world().endpoints;
    const service = await registered.json("ad", "sp", "show", "--id", clientId);
    assert.equal(service.appId, clientId);
    // `az aro` of the newest release uses the settings of Azure's public cloud instead of the registered cloud's settings. This
    // check therefore covers only the older release.
    if (version === azVersions.older) assert.deepEqual(await registered.json("aro", "list"), []);
    assert.deepEqual(recorder.refused.filter(isForeign), []);
  });

  test("signs in with an Active Directory authority in three requests to a single host", async () => {
    const az = plain("adfs");
    const places = ["--endpoint-resource-manager", arm, "--endpoint-active-directory", `${arm}/adfs`];
    await az.text("cloud", "register", "--name", "Directory", ...places);
    await az.text("cloud", "set", "--name", "Directory");
    const before = recorder.exchanges.length;
    await az.signIn(world().endpoints);
    assert.deepEqual(
      recorder.exchanges.slice(before).map(({ method, path, status }) => `${method} ${path} ${status}`),
      [
        "GET /adfs/.well-known/openid-configuration 200",
        "POST /adfs/oauth2/token 200",
        "GET /subscriptions 200",
      ],
    );
    assert.deepEqual(recorder.refused.filter(isForeign), []);
  });

  test("reads the clouds from a document of the service or from a file", async () => {
    const document = `${arm}/metadata/endpoints?api-version=2019-05-01`;
    const file = world().state.file(`clouds-${version}.json`);
    for (const source of [document, `file://${file}`]) {
      const isFile = source !== document;
      const az = plain(isFile ? "file" : "document", {
        ARM_CLOUD_METADATA_URL: source,
        AZURE_CORE_INSTANCE_DISCOVERY: "false",
        // The code of `az` that reads the cloud document never uses a proxy for local host names.
        NO_PROXY: "localhost",
      });
      const clouds = await az.json("cloud", "list");
      assert.deepEqual(
        clouds.map((each: { name: string; isActive: boolean }) => [each.name, each.isActive]),
        [["Keelson", true]],
      );
      await az.signIn(world().endpoints);
      assert.equal((await az.json("account", "show")).environmentName, "Keelson");
      if (!isFile) writeFileSync(file, JSON.stringify(await recorder.get(document)));
    }
  });
}

/** True for hosts where `az` checks for newer releases. These hosts do not belong to Azure. */
function isForeign(target: string): boolean {
  return !["azcliprod.blob.core.windows.net:443", "raw.githubusercontent.com:443"].includes(target);
}

function signInsOf(version: AzVersion, world: () => AzWorld): void {
  const fresh = (name: string) => world().az(version, `${version}-${name}`);
  let owner: Az;
  let scope: string;
  let tenant: string;
  before(async () => {
    const { subscriptionId, tenantId } = world().endpoints;
    [scope, tenant] = [`/subscriptions/${subscriptionId}`, tenantId];
    owner = fresh("owner");
    await owner.signIn(world().endpoints);
  });

  test("gets the reason for a rejected secret", async () => {
    const { clientId } = world().endpoints;
    const { code, stderr } = await fresh("wrong").run(
      ...["login", "--service-principal", "--tenant", tenant, "--username", clientId, "--password", "wrong"],
    );
    assert.equal(code, 1);
    assert.match(stderr, /AADSTS7000215: Invalid client secret provided\./);
  });

  test("signs in with a self-signed certificate", async () => {
    const made = await owner.json(
      ...["ad", "sp", "create-for-rbac", "--name", `certificate-${version}`, "--create-cert"],
      ...["--role", "Reader", "--scopes", scope],
    );
    const words = ["login", "--service-principal", "--tenant", tenant, "--username", made.appId];
    await fresh("certificate").json(...words, "--certificate", made.fileWithCertAndPrivateKey);
  });

  test("signs in with a token of a trusted issuer, for the trusted subject only", async () => {
    await using issuer = await TokenIssuer.start(world().state);
    const name = `federated-${version}`;
    const { appId } = await owner.json("ad", "app", "create", "--display-name", name);
    await owner.text("ad", "sp", "create", "--id", appId);
    const audience = "api://AzureADTokenExchange";
    const trusted = { name: "pipeline", issuer: issuer.url, subject: "repo:main", audiences: [audience] };
    await owner.text(
      ...["ad", "app", "federated-credential", "create", "--id", appId],
      ...["--parameters", JSON.stringify(trusted)],
    );
    await owner.text(
      "role",
      "assignment",
      "create",
      "--assignee",
      appId,
      "--role",
      "Reader",
      "--scope",
      scope,
    );
    const words = ["login", "--service-principal", "--tenant", tenant, "--username", appId];
    await fresh("federated").json(...words, "--federated-token", issuer.token("repo:main", audience));
    const other = await fresh("foreign").run(
      ...words,
      ...["--federated-token", issuer.token("repo:other", audience)],
    );
    assert.equal(other.code, 1);
    assert.match(other.stderr, /AADSTS700213/);
  });

  test("signs a user in", async () => {
    const az = fresh("user");
    const name = "administrator@keelson.local";
    await az.text("login", "--tenant", tenant, "--username", name, "--password", "any");
    assert.equal((await az.json("ad", "signed-in-user", "show")).userPrincipalName, name);
    assert.deepEqual((await az.json("account", "show")).user, { name, type: "user" });
  });
}

/**
 * Tests the project's extension with both releases of `az`. Covers the recorded sessions of the original extension and the
 * improvements over it.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import process from "node:process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { BuiltWheel } from "../../python/support/python.ts";
import { type Az, type AzVersion, azVersions } from "./support/az.ts";
import type { AzWorld } from "./support/az-world.ts";
import { withBothReleases } from "./support/both-releases.ts";
import * as sessions from "./support/recorded-sessions.ts";
import { Recorder } from "./support/recorder.ts";

let wheel: BuiltWheel;
before(async () => {
  wheel = await BuiltWheel.build("az-extension");
});
after(() => wheel[Symbol.dispose]());

withBothReleases("az with our extension", [], sessionsOf);

function sessionsOf(version: AzVersion, world: () => AzWorld): void {
  const isNewest = version === azVersions.newest;
  const group = `extension-${version}`;
  const inGroup = ["--resource-group", group];
  const ofCluster = [...inGroup, "--name", "one"];
  const subnets = ["--vnet", "net", "--master-subnet", "master", "--worker-subnet", "worker"];
  let recorder: Recorder;
  let az: Az;
  before(async () => {
    const { arm } = world().endpoints;
    recorder = await Recorder.start(world().state, arm);
    az = world().az(version, `extension-${version}`, {
      ...recorder.environment,
      AZURE_CORE_ONLY_SHOW_ERRORS: undefined,
      AZURE_EXTENSION_DIR: world().state.file(`extensions-${version}`),
    });
    await az.text("extension", "add", "--yes", "--source", wheel.file);
    await az.signIn(world().endpoints);
    await az.text("group", "create", "--name", group, "--location", "eastus");
    await az.text(
      ...["network", "vnet", "create", ...inGroup, "--name", "net", "--address-prefixes", "10.0.0.0/16"],
      ...["--subnet-name", "master", "--subnet-prefixes", "10.0.0.0/23"],
    );
    await az.text(
      ...["network", "vnet", "subnet", "create", ...inGroup, "--vnet-name", "net"],
      ...["--name", "worker", "--address-prefixes", "10.0.2.0/23"],
    );
  });
  after(() => recorder[Symbol.asyncDispose]());

  /** Runs a command and compares its requests with the recorded ones. */
  async function replays<T>(session: sessions.RecordedSession, run: () => Promise<T>): Promise<T> {
    const begun = recorder.exchanges.length;
    const result = await run();
    const calls = recorder.exchanges.slice(begun).flatMap((each) => sessions.recordedCall(each) ?? []);
    assert.deepEqual(calls, session.calls, session.command);
    return result;
  }

  const given = () => {
    const { clientId, clientSecret } = world().endpoints;
    return ["--client-id", clientId, "--client-secret", clientSecret];
  };

  test("validates as recorded, with warnings for missing objects that the creation adds", async () => {
    const { code, stderr } = await replays(sessions.validate, () =>
      az.run("aro", "validate", ...ofCluster, ...subnets, ...given()),
    );
    assert.equal(code, 0, stderr);
    assert.match(stderr, /The following issues will have a minor impact on cluster creation:/);
    assert.match(stderr, /missing role assignment/);
  });

  test("creates a cluster as recorded", async () => {
    // Each cluster has a separate Entra application. With the older release of `az`, `az aro create` itself creates the
    // application.
    const [session, application] = isNewest
      ? [sessions.create, given()]
      : [sessions.createWithOwnApplication, []];
    const made = await replays(session, () =>
      az.json("aro", "create", ...ofCluster, ...subnets, ...application),
    );
    assert.equal(made.provisioningState, "Succeeded");
    assert.equal(made.workerProfiles[0].diskSizeGb, 128);
    const [put] = recorder.all(/^PUT .*\/openShiftClusters\/one$/);
    const { networkProfile, workerProfiles, ingressProfiles } = JSON.parse(put?.body ?? "").properties;
    assert.deepEqual(networkProfile, {
      ...{ podCidr: "10.128.0.0/14", serviceCidr: "172.30.0.0/16", outboundType: "" },
      preconfiguredNSG: "Disabled",
    });
    assert.deepEqual([workerProfiles[0].vmSize, workerProfiles[0].count], ["Standard_D4s_v5", 3]);
    assert.deepEqual(ingressProfiles, [{ name: "default", visibility: "Public" }]);
  });

  test("shows, lists and waits", async () => {
    assert.match(
      await az.text("aro", "show", ...ofCluster, "-o", "table"),
      /^one\s+\S+\s+eastus\s+Succeeded\s+3\s+https:/m,
    );
    await az.text("aro", "wait", ...ofCluster, "--created", "--interval", "1");
    const listed = await az.json("aro", "list", ...inGroup);
    assert.deepEqual(
      listed.map((each: { name: string }) => each.name),
      ["one"],
    );
    const credentials = await az.json("aro", "list-credentials", ...ofCluster);
    assert.equal(credentials.kubeadminUsername, "kubeadmin");
    assert.deepEqual(await az.json("aro", "get-versions", "--location", "eastus"), ["4.18.26", "4.19.24"]);
  });

  test("writes a kubeconfig for kubectl, readable only by its owner, once", async () => {
    const file = world().state.file(`kubeconfig-${version}`);
    const words = ["aro", "get-admin-kubeconfig", ...ofCluster, "--file", file];
    await az.text(...words);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const kubectl = ["--kubeconfig", file, "--insecure-skip-tls-verify", "get", "nodes", "-o", "name"];
    const env = { PATH: process.env.PATH, HOME: world().state.path };
    const { stdout } = await promisify(execFile)("kubectl", kubectl, { env });
    assert.match(stdout, /^node\//m);
    const before = readFileSync(file, "utf8");
    const again = await az.run(...words);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /File .* already exists\./);
    assert.equal(readFileSync(file, "utf8"), before);
  });

  test("updates as recorded: a second time no role is assigned", async () => {
    for (let i = 0; i < 2; i++) {
      await replays(sessions.update, () => az.text("aro", "update", ...ofCluster));
    }
  });

  test("deletes as recorded, and prints the remedy for a missing cluster", async () => {
    await replays(sessions.remove, () => az.text("aro", "delete", ...ofCluster, "--yes"));
    const again = await az.run("aro", "delete", ...ofCluster, "--yes");
    assert.equal(again.code, 3);
    assert.match(again.stderr, /\(ResourceNotFound\)/);
  });

  // The remaining tests run only once because the extension's code is the same in both releases.
  if (!isNewest) return;

  test("creates a cluster with managed identities as recorded, is watched, and deletes both", async () => {
    const managed = [...inGroup, "--name", "two"];
    const words = ["aro", "create", ...managed, ...subnets];
    const identities = ["--enable-managed-identity", "--version", "4.18.26"];
    // The last recorded request starts to watch the existing cluster. With `--no-wait`, `az` does not send this request.
    const calls = sessions.createWithIdentities.calls.slice(0, -1);
    await replays({ ...sessions.createWithIdentities, calls }, () =>
      az.text(...words, ...identities, "--no-wait"),
    );
    const watched = await az.run("aro", "watch", ...managed, "--query", "provisioningState", "-o", "tsv");
    assert.deepEqual([watched.code, watched.stdout], [0, "Succeeded\n"], watched.stderr);
    assert.match(watched.stderr, /^\d\d:\d\d:\d\d Creating +\d+% +\d+\/\d+ +\w+/m);
    assert.match(watched.stderr, /^\d\d:\d\d:\d\d Succeeded$/m);
    const names = async () => {
      const listed: { name: string }[] = await az.json("identity", "list", ...inGroup);
      return listed.map(({ name }) => name);
    };
    assert.equal((await names()).length, 9);
    const deleted = await replays(withoutAssignment(sessions.removeWithIdentities), () =>
      az.run("aro", "delete", ...managed, "--delete-identities", "--yes"),
    );
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.deepEqual(await names(), []);
  });

  test("accepts and validates subnets with preconfigured security groups", async () => {
    await az.text("network", "nsg", "create", ...inGroup, "--name", "own", "--location", "eastus");
    for (const name of ["master", "worker"]) {
      await az.text(
        ...["network", "vnet", "subnet", "update", ...inGroup, "--vnet-name", "net", "--name", name],
        ...["--network-security-group", "own"],
      );
    }
    const words = ["aro", "validate", ...ofCluster, ...subnets, ...given()];
    const refused = await az.run(...words);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /The following errors are fatal and will block cluster creation:/);
    assert.match(refused.stderr, /\| master_subnet \| master \| Error +\| A Network Security Group/);
    const taken = await az.run(...words, "--enable-preconfigured-nsg");
    assert.equal(taken.code, 0, taken.stderr);
  });

  test("calls the resource provider at the URL of the cloud or of RP_MODE", async () => {
    const { arm } = world().endpoints;
    const registered = world().az(version, `registered-${version}`, {
      ...recorder.environment,
      AZURE_AUTHORITY_HOST: undefined,
      AZURE_EXTENSION_DIR: world().state.file(`extensions-${version}`),
    });
    await registered.text("cloud", "register", "--name", "Keelson", "--endpoint-resource-manager", `${arm}/`);
    await registered.text("cloud", "set", "--name", "Keelson");
    await registered.signIn(world().endpoints);
    const begun = recorder.exchanges.length;
    await registered.text("aro", "list");
    const [list] = recorder.exchanges.slice(begun).filter(({ path }) => path.endsWith("/openShiftClusters"));
    assert.equal(list?.host, new URL(arm).host);
    const development = world().az(version, `extension-${version}`, {
      ...recorder.environment,
      RP_MODE: "development",
      AZURE_EXTENSION_DIR: world().state.file(`extensions-${version}`),
    });
    const { code } = await development.run("aro", "show", ...ofCluster);
    assert.notEqual(code, 0);
    assert.ok(recorder.refused.includes("localhost:8443"));
  });
}

/**
 * Removes the creation of a role assignment from the session. The service's role assignments were deleted before the recording,
 * but still exist in this test.
 */
function withoutAssignment({ command, calls }: sessions.RecordedSession): sessions.RecordedSession {
  return { command, calls: calls.filter((call) => !call.startsWith("PUT NET/roleAssignments")) };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import { failuresOf } from "../report.ts";
import { mirror, temporaryDirectory, testSettings } from "../testing/mirror-setup.ts";
import { TestRegistry } from "../testing/test-registry.ts";
import type { TestAccess } from "../testing/test-tokens.ts";
import type { RegistryCredential } from "./credentials.ts";

const password = (text: string): RegistryCredential => ({
  kind: "password",
  username: "robot",
  password: new Secret(text),
});

/** Mirrors two images from a public registry to a registry that requires authentication. */
async function mirrorTo(
  access: TestAccess,
  credential: RegistryCredential,
  use: (target: TestRegistry, again: () => ReturnType<typeof mirror>) => Promise<void>,
): Promise<void> {
  await using source = await TestRegistry.start();
  await using target = await TestRegistry.start({ access });
  using directory = temporaryDirectory();
  for (const name of ["a", "b"]) source.store.addImage(name, [1_000], "v1");
  const run = async () =>
    mirror({
      destination: target.host,
      registries: { [source.host]: await testSettings(), [target.host]: await testSettings({ credential }) },
      images: ["a", "b"].map((name) => `${source.host}/${name}:v1`),
      stateDirectory: directory.path,
    });
  await use(target, run);
}

test("by user and password", () =>
  mirrorTo({ kind: "basic", username: "robot", password: "right" }, password("right"), async (_, run) => {
    assert.deepEqual(failuresOf(await run()), []);
  }));

test("a wrong password is SignInFailed and names the registry", () =>
  mirrorTo(
    { kind: "basic", username: "robot", password: "right" },
    password("wrong"),
    async (target, run) => {
      const failures = failuresOf(await run());
      assert.deepEqual(
        failures.map(({ code }) => code),
        ["SignInFailed", "SignInFailed"],
      );
      assert.ok(failures[0]?.message.includes(`registry ${target.host} refuses the credentials`));
      assert.match(failures[0]?.message ?? "", /Check registries\["localhost:\d+"\] of the configuration/);
    },
  ));

test("by tokens of the registry's token service, for one repository each", () =>
  mirrorTo(
    { kind: "bearer", username: "robot", password: "right" },
    password("right"),
    async (target, run) => {
      assert.deepEqual(failuresOf(await run()), []);
      // At most one token is issued per repository and access. Each image has an image repository and a signature repository,
      // each with pull or push access.
      assert.ok(target.tokens.issued <= 6, String(target.tokens.issued));
    },
  ));

test("by tokens that expire immediately", () =>
  mirrorTo(
    { kind: "bearer", username: "robot", password: "right", expiresIn: 0 },
    password("right"),
    async (_, run) => {
      assert.deepEqual(failuresOf(await run()), []);
    },
  ));

test("a wrong password is reported without it", () =>
  mirrorTo({ kind: "bearer", username: "robot", password: "right" }, password("hunter2"), async (_, run) => {
    const failures = failuresOf(await run());
    assert.equal(failures.length, 2);
    for (const { code, message } of failures) {
      assert.equal(code, "SignInFailed");
      assert.match(message, /wrong user or password. Check the credentials of registry localhost/);
      assert.doesNotMatch(message, /hunter2/);
    }
  }));

test("a missing password is reported", () =>
  mirrorTo({ kind: "basic", username: "robot", password: "right" }, { kind: "anonymous" }, async (_, run) => {
    assert.match(
      failuresOf(await run())[0]?.message ?? "",
      /wants a user and a password, and none are configured/,
    );
  }));

test("a token service on a host that is not listed gets nothing", () =>
  mirrorTo(
    { kind: "bearer", username: "robot", password: "right", realm: "https://169.254.169.254/token" },
    password("right"),
    async (_, run) => {
      const [failure] = failuresOf(await run());
      assert.equal(failure?.code, "HostNotAllowed");
      assert.match(failure?.message ?? "", /authHosts/);
    },
  ));

test("at Azure's registry a token of Entra ID is exchanged once", () => {
  let asked = 0;
  const credential: RegistryCredential = {
    kind: "azure",
    tenantId: "t",
    accessToken: async () => {
      asked++;
      return new Secret("aad");
    },
  };
  return mirrorTo({ kind: "azure", accessToken: "aad" }, credential, async (target, run) => {
    assert.deepEqual(failuresOf(await run()), []);
    assert.deepEqual([asked, target.tokens.exchanged], [1, 1]);
    assert.deepEqual(target.store.manifests.has("a:v1"), true);
  });
});

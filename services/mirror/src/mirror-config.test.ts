import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { Secret, systemClock } from "@keelson/base";
import { mirrorOptionsOf, parseMirrorConfig } from "./mirror-config.ts";

const sources = {
  destination: "name.azurecr.io",
  credentials: { "quay.io": { kind: "password" as const, username: "env", password: new Secret("x") } },
  versions: [],
  withImages: true,
  readFile: (path: string) => {
    if (path === "key.pem")
      return generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
    throw new Error("ENOENT");
  },
  stateDirectory: "/state",
  dryRun: false,
  userAgent: "test",
  clock: systemClock,
  onEvent: () => {},
  signal: new AbortController().signal,
};
const optionsOf = (config: unknown) => mirrorOptionsOf(parseMirrorConfig(config, "mirror.json"), sources);

test("an empty configuration mirrors the 22 images of the service and knows their registries", () => {
  const options = optionsOf({});
  assert.equal(options.images.length, 22);
  for (const image of options.images) assert.ok(options.registries[image.split("/")[0] ?? ""], image);
  assert.deepEqual(options.rules, { minimum: "4.12.0", deny: ["4.8.8"] });
  assert.ok(options.registries["name.azurecr.io"]?.redirectHosts.includes("*.blob.core.windows.net"));
});

test("credentials of the environment override the configuration", () => {
  const { registries } = optionsOf({
    registries: {
      "quay.io": { username: "file", password: "y" },
      "other.example": { username: "file", password: "y" },
    },
  });
  const userOf = (host: string) => {
    const credential = registries[host]?.credential;
    return credential?.kind === "password" ? credential.username : undefined;
  };
  assert.deepEqual([userOf("quay.io"), userOf("other.example")], ["env", "file"]);
  assert.ok(registries["quay.io"]?.redirectHosts.includes("*.quay.io"));
});

test("every invalid property is named", () => {
  const config = { graph: { url: "http://x" }, chunkBytes: 1, unknown: true };
  assert.throws(() => parseMirrorConfig(config, "mirror.json"), {
    code: "InvalidConfiguration",
    message: /^mirror\.json: (?=.*\/graph\/url)(?=.*\/chunkBytes)/,
  });
});

test("signature keys are read, and invalid ones rejected", () => {
  const rule = (more: object) => optionsOf({ signatures: [{ repositories: ["quay.io/a"], ...more }] });
  assert.equal(rule({ cosignKeyFiles: ["key.pem"] }).signatures[0]?.cosignKeys?.length, 1);
  assert.throws(() => rule({ cosignKeyFiles: ["absent.pem"] }), { code: "InvalidConfiguration" });
  assert.throws(() => rule({}), { code: "InvalidConfiguration", message: /names no key/ });
});

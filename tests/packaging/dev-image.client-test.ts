/** Tests the image keelson-dev: starts it with its default command and uses it from outside of its loopback address. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { request } from "node:https";
import { networkInterfaces } from "node:os";
import process from "node:process";
import { after, before, type TestContext, test } from "node:test";
import { eventually } from "../e2e/support/eventually.ts";
import { debianRoot, Image } from "./support/image.ts";

let image: Image | undefined;
const cannotBuild =
  process.getuid?.() !== 0
    ? "only root may change the root directory"
    : spawnSync("buildah", ["--version"]).status !== 0 || !existsSync(debianRoot)
      ? "no buildah or no base image: run scripts/install-clients.sh"
      : undefined;

before(async () => {
  if (!cannotBuild) image = await Image.build("dev");
});
after(() => image?.[Symbol.asyncDispose]());

function built(t: TestContext): Image | undefined {
  if (cannotBuild) t.skip(cannotBuild);
  return image;
}

test("the image starts `keelson up` with published ports as a user without rights, and contains no test", (t) => {
  const dev = built(t);
  if (!dev) return;
  assert.equal(dev.config.User, "65532:65532");
  assert.deepEqual(dev.config.Entrypoint, ["keelson"]);
  assert.deepEqual(dev.config.Cmd, ["up", "--state", "/state", "--publish"]);
  assert.equal(Object.keys(dev.config.ExposedPorts ?? {}).length, 10);
  const files = dev.files("keelson").filter((path) => !path.includes("node_modules/"));
  assert.deepEqual(
    files.filter((path) => /^(?:tests|bench|clients)\b|\.test\.ts$|\/testing\//.test(path)),
    [],
  );
  t.diagnostic(`${(dev.bytes / 2 ** 20).toFixed(0)} MiB beside Node and Debian`);
});

test("clients of other machines use the ARM API of the running image, its health check succeeds, and it drains on SIGTERM", {
  timeout: 900_000,
}, async (t) => {
  const dev = built(t);
  if (!dev) return;
  const command = [...(dev.config.Cmd ?? []), "--ports", "auto"];
  await using running = dev.start(...command);
  await running.says(/^endpoints /m, 600_000);
  await dev.exec("keelson", "status", "--state", "/state");
  const { rp, subscriptionId }: { readonly rp: string; readonly subscriptionId: string } = JSON.parse(
    dev.read("state/endpoints.json"),
  );
  const ca = dev.read("state/ca.pem");
  const address = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4")?.address;
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=2025-07-25`;
  const get = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = new URL(rp);
      request({ host, port, path, ca, servername: "localhost" }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
  for (const host of ["localhost", ...(address === undefined ? [] : [address])])
    await eventually(async () => assert.equal(await get(host), 200, host));
  assert.match(
    await dev.exec("keelson", "kubeconfig", "demo", "--state", "/state"),
    /server: https:\/\/localhost:\d+/,
  );
  assert.equal(await running.signal("SIGTERM"), 0);
});

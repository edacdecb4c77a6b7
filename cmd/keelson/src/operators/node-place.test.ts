import assert from "node:assert/strict";
import { mkdir, mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { NodeDisk } from "@keelson/operator-kit";
import { placeFileVariables } from "../world/place-file-variables.ts";
import { nodeFiles, nodePlace, nodeReader } from "./node-place.ts";

/**
 * Creates the environment of a container that has one volume. Also creates a file of the host outside of the container and its
 * volume.
 */
async function container() {
  const directory = await mkdtempDisposable(join(tmpdir(), "node-place-"));
  const at = (path: string) => join(directory.path, path);
  await mkdir(at("root/var"), { recursive: true });
  await mkdir(at("volume/..data"), { recursive: true });
  await writeFile(at("host"), "host");
  await writeFile(at("volume/..data/token"), "token");
  // The symbolic links that the kubelet creates in a volume.
  await symlink("..data/token", at("volume/token"));
  await symlink(at("volume"), at("root/var/volume"));
  const mounts = [{ path: "/var/volume", directory: at("volume"), readOnly: true }];
  const environment = { KEELSON_ROOT: at("root"), KEELSON_MOUNTS: JSON.stringify(mounts) };
  return { at, environment, [Symbol.asyncDispose]: () => directory.remove() };
}

test("an operator reads files of its volumes by the container's paths", async () => {
  await using made = await container();
  const { environment } = made;
  assert.equal((await nodeReader(environment)("/var/volume/token")).toString(), "token");
  assert.equal(await new NodeDisk(nodeFiles(environment)).readFile("/var/volume/../volume/token"), "token");
});

test("an operator reads no file of the host, by dots or by links", async () => {
  await using made = await container();
  const { at, environment } = made;
  await symlink(at("host"), at("root/var/absolute"));
  await symlink("../../host", at("root/var/relative"));
  const read = nodeReader(environment);
  for (const path of ["/../host", "../host", "/var/volume/../../../host", "/var/absolute", "/var/relative"])
    await assert.rejects(read(path), { code: "ENOENT" }, path);
  assert.equal(nodePlace(environment)("/../../host"), at("root/host"));
  assert.equal(nodePlace(environment)("host"), at("root/host"));
});

test("paths of a real node stay as they are", async () => {
  await using made = await container();
  assert.equal(nodePlace({})("/etc/../x"), "/etc/../x");
  assert.equal((await nodeReader({})(made.at("host"))).toString(), "host");
});

test("variables that name files are places below the container's root", async () => {
  await using made = await container();
  const { at, environment } = made;
  const placed = await placeFileVariables({
    ...environment,
    AZURE_FEDERATED_TOKEN_FILE: "/var/volume/token",
    UP_FILE: "/../../host",
    RELATIVE_FILE: "../host",
    OTHER: "/../host",
  });
  assert.deepEqual(placed, {
    ...environment,
    AZURE_FEDERATED_TOKEN_FILE: at("root/var/volume/token"),
    UP_FILE: at("root/host"),
    RELATIVE_FILE: at("root/host"),
    OTHER: "/../host",
  });
  await symlink(at("host"), at("root/var/absolute"));
  await assert.rejects(placeFileVariables({ ...environment, AZURE_CA_FILE: "/var/absolute" }), {
    message: "AZURE_CA_FILE: a symbolic link of /var/absolute leaves the container",
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import fc from "fast-check";
import { parseManifest } from "./manifest.ts";

const digest = `sha256:${"a".repeat(64)}`;
const docker = "application/vnd.docker.distribution.manifest.v2+json";
const read = (value: unknown, type = docker) =>
  parseManifest(Buffer.from(JSON.stringify(value)), type, digest, "the manifest");
const part = (mediaType: string, size = 1) => ({ mediaType, digest, size });

test("an image without a media type has its content type", () => {
  const { mediaType, blobs, layers } = read(
    { config: part("c"), layers: [part("l", 3)] },
    `${docker}; charset=utf-8`,
  );
  assert.equal(mediaType, docker);
  assert.deepEqual([blobs.map(({ size }) => size), layers.length], [[1, 3], 1]);
});

test("layers that registries do not store are omitted", () => {
  const foreign = "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip";
  const { blobs } = read({
    config: part("c"),
    layers: [part(foreign), part("application/vnd.oci.image.layer.nondistributable.v1.tar"), part("l")],
  });
  assert.equal(blobs.length, 2);
});

for (const [what, value] of Object.entries({
  "no object": [],
  "a kind of old": { mediaType: "application/vnd.docker.distribution.manifest.v1+prettyjws" },
  "no configuration": { layers: [] },
  "no layers": { config: part("c") },
  "a negative size": { config: part("c"), layers: [part("l", -1)] },
  "a fraction": { config: part("c"), layers: [part("l", 0.5)] },
  "a path for a digest": { config: { ...part("c"), digest: "sha256:../../x" }, layers: [] },
  "too many layers": { config: part("c"), layers: Array.from({ length: 2_001 }, () => part("l")) },
})) {
  test(`${what} is refused`, () => {
    assert.throws(() => read(value), { code: "ManifestInvalid" });
  });
}

test("any JSON is read, or refused with a code", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom(docker, "application/vnd.oci.image.index.v1+json"),
      (value, type) => {
        try {
          read(value, type);
        } catch (error) {
          assert.ok(isCoded(error, "ManifestInvalid"));
        }
      },
    ),
  );
});

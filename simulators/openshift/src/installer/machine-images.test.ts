import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { machineImagesOf } from "./machine-images.ts";

const image = { publisher: "p", offer: "o", sku: "s", version: "1.2.3" };
const release = { openShiftPullspec: "a", installerPullspec: "b" };

test("machines have the images of the version document", async () => {
  const machineImages = { hyperVGen1: image };
  const found = await machineImagesOf({ release: async () => ({ ...release, machineImages }) });
  assert.deepEqual(found.machineImages, machineImages);
});

test("a version without a document has no images, and other failures are reported", async () => {
  const rejecting = (error: Error) => ({ release: () => Promise.reject(error) });
  const missing = new CloudError(
    "InvalidParameter",
    "The requested OpenShift version '4.19.1' is not supported.",
  );
  assert.deepEqual(await machineImagesOf(rejecting(missing)), {});
  const failure = new Error("the database is closed");
  await assert.rejects(machineImagesOf(rejecting(failure)), failure);
});

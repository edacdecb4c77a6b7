import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { latestItem, maxTagItems, statusTag, withItem } from "./tag-history.ts";

test("a tag keeps its newest images", () => {
  let stream: KubeObject = {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStream",
    metadata: { name: "app" },
  };
  for (let at = 1; at <= maxTagItems + 3; at++) {
    const item = { created: "2026-01-01T00:00:00Z", dockerImageReference: `app@${at}`, image: `${at}` };
    stream = withItem(stream, "v1", { ...item, generation: 1 });
  }
  const items = listAt(statusTag(stream, "v1"), "items");
  assert.equal(items.length, maxTagItems);
  assert.equal(latestItem(stream, "v1")?.image, `${maxTagItems + 3}`);
  assert.equal(stringAt(items.at(-1), "image"), "4");
});

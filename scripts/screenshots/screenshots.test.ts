import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { consolePages, maxTotalBytes, portalPages, screenshotFiles, windows } from "./screenshot-list.ts";

const root = join(import.meta.dirname, "..", "..");
const directory = join(root, "docs", "images");

test("docs/images contains a screenshot of each page in each window, and no other files; otherwise run `make screenshots`", () => {
  assert.deepEqual(readdirSync(directory).sort(), [...screenshotFiles()].sort());
});

test("all screenshots together have at most 3 MiB", () => {
  const total = readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
  assert.ok(total <= maxTotalBytes, `${total} bytes`);
});

test("each screenshot is a WebP image with the size of its window", () => {
  for (const { name, width, height } of windows)
    for (const file of readdirSync(directory).filter((each) => each.endsWith(`-${name}.webp`)))
      assert.deepEqual(webpSize(readFileSync(join(directory, file))), { width, height }, file);
});

test("the list contains every page of the portal and the console once", () => {
  const pages = [...portalPages("/cluster"), ...consolePages];
  assert.equal(new Set(pages.map(({ name }) => name)).size, pages.length);
  assert.ok(pages.some(({ path }) => path === "/cluster/timeline"));
  assert.ok(pages.some(({ path }) => path === "/faults"));
});

test("README.md and docs/portal.md show screenshots that exist", () => {
  for (const document of ["README.md", "docs/portal.md"]) {
    const text = readFileSync(join(root, document), "utf8");
    const images = [...text.matchAll(/!\[[^\]]+\]\((?:docs\/)?images\/([^)]+)\)/g)].map(
      ([, file = ""]) => file,
    );
    assert.ok(images.length > 0, document);
    for (const file of images) assert.ok(screenshotFiles().includes(file), `${document}: ${file}`);
  }
});

/** Reads the size of a lossy WebP image (RFC 9649). */
function webpSize(image: Buffer): { readonly width: number; readonly height: number } {
  assert.equal(image.toString("latin1", 0, 4) + image.toString("latin1", 8, 12), "RIFFWEBP");
  const kind = image.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: 1 + image.readUIntLE(24, 3), height: 1 + image.readUIntLE(27, 3) };
  assert.equal(kind, "VP8 ");
  return { width: image.readUInt16LE(26) & 0x3fff, height: image.readUInt16LE(28) & 0x3fff };
}

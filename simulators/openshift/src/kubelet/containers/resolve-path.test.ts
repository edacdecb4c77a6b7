import assert from "node:assert/strict";
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { mkdir, mkdtempDisposable, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { makeInertLink, readInertLink } from "./inert-link.ts";
import { resolveBelow } from "./resolve-path.ts";

const names = fc.constantFrom("a", "b", "c", "..", ".", "outside", "secret");
const path = fc
  .tuple(fc.boolean(), fc.array(names, { maxLength: 5 }))
  .map(([isAbsolute, parts]) => `${isAbsolute ? "/" : ""}${parts.join("/")}`);
/**
 * Directory or symbolic link in a volume. If `real` is true, a trusted program creates a real link. If `real` is false, a
 * container creates an encoded link.
 */
const entry = fc.record({
  at: fc
    .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/")),
  link: fc.option(path, { nil: undefined }),
  real: fc.boolean(),
});

test("no path escapes its root, through any links in it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 8 }),
      path,
      fc.boolean(),
      async (entries, wanted, strict) => {
        await using directory = await mkdtempDisposable(join(tmpdir(), "resolve-path-"));
        const root = join(directory.path, "root");
        await mkdir(join(directory.path, "outside"));
        await mkdir(root);
        await writeFile(join(directory.path, "outside", "secret"), "host");
        await writeFile(join(directory.path, "secret"), "host");
        for (const { at, link, real } of entries) {
          try {
            const place = await resolveBelow(root, at, { keepLink: true });
            await mkdir(link === undefined ? place : dirname(place), { recursive: true });
            if (link !== undefined && real) await symlink(link, place);
            else if (link !== undefined) await makeInertLink(link, place);
          } catch (error) {
            // The write may fail if the entry already exists or if links form a loop.
            assert.match(String(error), /EEXIST|ENOTDIR|EINVAL|ENOENT|ELOOP|Too many levels/);
          }
        }
        let place: string;
        try {
          place = await resolveBelow(root, wanted, { strict });
        } catch (error) {
          assert.match(String(error), strict ? /is outside of its volume|Too many/ : /Too many/);
          return;
        }
        assert.ok(!relative(root, place).startsWith(".."), place);
        let existing = place;
        while (!existsSync(existing)) existing = dirname(existing);
        assert.equal(realpathSync(existing), realpathSync(root) + existing.slice(root.length));
      },
    ),
    { numRuns: 200 },
  );
});

test("a container's link cannot be followed on the host but keeps its target for containers", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "inert-link-"));
  const secret = join(directory.path, "secret");
  await writeFile(secret, "host");
  await mkdir(join(directory.path, "volume"));
  for (const target of [secret, "../secret", "../../../../../../../../etc/passwd", "/etc/passwd", "ü\n"]) {
    const link = join(directory.path, "volume", "link");
    await makeInertLink(target, link);
    await assert.rejects(readFile(link), { code: "ENOENT" });
    assert.equal(await readInertLink(link), target);
    assert.ok(lstatSync(link).isSymbolicLink());
    await rm(link);
  }
});

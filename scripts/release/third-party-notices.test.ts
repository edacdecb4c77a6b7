import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { thirdPartyNotices } from "./third-party-notices.ts";

test("notices contain the license and the license files of the installed version of each foreign package", () => {
  using root = mkdtempDisposableSync(join(tmpdir(), "keelson-notices-"));
  const packages: Record<string, object> = {};
  const install = (directory: string, version: string, license: string) => {
    mkdirSync(join(root.path, directory), { recursive: true });
    packages[directory] = { version };
    writeFileSync(join(root.path, "package-lock.json"), JSON.stringify({ packages }));
    writeFileSync(join(root.path, directory, "LICENSE.md"), license);
  };
  install("node_modules/a", "1.0.0", "Text of a 1.");
  install("node_modules/b/node_modules/a", "2.0.0", "Text of a 2.");
  install("node_modules/@scope/c", "3.0.0", "Text of c.");
  const components = [
    { name: "a", version: "2.0.0", licenses: [{ license: { id: "MIT" } }] },
    { group: "@scope", name: "c", version: "3.0.0", licenses: [{ expression: "MIT OR Apache-2.0" }] },
    { group: "@keelson", name: "own", version: "1.0.0" },
  ];
  const notices = thirdPartyNotices({ components }, root.path, new Set(["@keelson/own"]));
  assert.match(
    notices,
    /@scope\/c 3\.0\.0\nLicense: MIT OR Apache-2\.0\n\nText of c\.\n[\s\S]*a 2\.0\.0\nLicense: MIT\n\nText of a 2\./,
  );
  assert.doesNotMatch(notices, /Text of a 1|own/);
  const unknown = { components: [{ name: "unknown", version: "1.0.0" }] };
  assert.throws(() => thirdPartyNotices(unknown, root.path, new Set()), /unknown 1\.0\.0 has no license/);
});

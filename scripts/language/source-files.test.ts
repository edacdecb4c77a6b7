import assert from "node:assert/strict";
import { test } from "node:test";
import { TemporaryRepository } from "../testing/temporary-repository.ts";
import { checkedFiles, isChecked, packageOf } from "./source-files.ts";

test("files of every language are checked, generated files and fixtures are not", () => {
  using repository = new TemporaryRepository();
  const checked = [
    ...[".ci/run", "CHANGELOG.md", "a.mjs", "a.py", "a.sh", "keelson", "libraries/base/src/a.test.ts"],
    ...["services/portal-web/src/a.tsx"],
  ];
  const others = [
    ...[
      ".tools/a.ts",
      "node_modules/a/a.ts",
      "a/dist/a.ts",
      "LICENSE",
      "a.json",
      "swagger/a.md",
      "a/b.generated.ts",
    ],
    ...[
      "clients/typescript/src/versions/2025-07-25.ts",
      "clients/python/src/keelson/mgmt/redhatopenshift/v2025_07_25/a.py",
    ],
    ...["scripts/language/a.test.ts", "scripts/check-language.test.ts"],
  ];
  for (const path of [...checked, ...others]) repository.write(path, "");
  assert.deepEqual(checkedFiles(repository.root), checked.toSorted());
  assert.equal(isChecked("scripts/language/words.ts"), true);
});

test("the package of a file is its workspace or its top-level directory", () => {
  assert.equal(packageOf("libraries/base/src/a.ts"), "libraries/base");
  assert.equal(packageOf("services/README.md"), "services");
  assert.equal(packageOf("docs/howto/a.md"), "docs");
  assert.equal(packageOf(".ci/run"), ".ci");
  assert.equal(packageOf("CHANGELOG.md"), "CHANGELOG.md");
});

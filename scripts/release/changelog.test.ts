import assert from "node:assert/strict";
import { test } from "node:test";
import { changelogProblems, releaseChangelog, releasedSection } from "./changelog.ts";

const changelog = `# Changelog

## Unreleased

### Added

- A new command, with a description
  on two lines.

## 0.1.0 - 2026-11-27

First version.

### Added

- An old command.
`;

test("a section Unreleased with new entries becomes the section of the version", () => {
  assert.deepEqual(changelogProblems(changelog, "0.2.0"), []);
  const released = releaseChangelog(changelog, { version: "0.2.0", date: "2026-11-30" });
  assert.match(released, /## Unreleased\n\n## 0\.2\.0 - 2026-11-30\n\n### Added\n\n- A new command/);
  assert.match(releasedSection(released, "0.2.0") ?? "", /^### Added\n\n- A new command,[^#]*lines\.$/);
  assert.match(releasedSection(released, "0.1.0") ?? "", /^First version\./);
  assert.equal(releasedSection(released, "0.3.0"), undefined);
  assert.match(changelogProblems(released, "0.3.0").join(), /"Unreleased" has no entry/);
});

test("a stale section Unreleased is refused with its fault", () => {
  const rows: readonly (readonly [string, string, RegExp])[] = [
    ["no section", changelog.replace("## Unreleased", "## Next"), /first section is not "## Unreleased"/],
    ["an empty group", changelog.replace("### Added", "### Fixed\n\n### Added"), /"### Fixed" has no entry/],
    ["a released entry", changelog.replace("- A new", "- An old command.\n- A new"), /repeats an entry/],
    ["a released version", changelog.replace("## 0.1.0", "## 0.2.0"), /a section of 0\.2\.0 exists/],
  ];
  for (const [name, content, problem] of rows) {
    const problems = changelogProblems(content, "0.2.0");
    assert.equal(problems.length, 1, name);
    assert.match(problems[0] ?? "", problem, name);
  }
});

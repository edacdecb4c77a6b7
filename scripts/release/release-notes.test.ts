import assert from "node:assert/strict";
import { test } from "node:test";
import { releaseNotes } from "./release-notes.ts";

test("release notes list each file with its description, the verification and the changes without relative links", () => {
  const notes = releaseNotes({
    version: "0.2.0",
    section: "### Added\n\n- [Portal](docs/portal.md) and [npm](https://npmjs.com).",
    files: ["keelson-0.2.0.oci.tar", "keelson-dev-0.2.0.oci.tar", "keelson-apiserver-0.2.0.tgz"],
  });
  assert.match(notes, /^# Keelson 0\.2\.0$/m);
  assert.match(notes, /^\| keelson-0\.2\.0\.oci\.tar \| image of the service/m);
  assert.match(notes, /^\| keelson-dev-0\.2\.0\.oci\.tar \| image with everything of `keelson up`/m);
  assert.match(notes, /^\| keelson-apiserver-0\.2\.0\.tgz \| npm package \|$/m);
  assert.match(notes, /openssl pkeyutl -verify /);
  assert.match(notes, /^- \[Portal\] and \[npm\]\(https:\/\/npmjs\.com\)\.$/m);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isUrlReference } from "./url-reference.ts";

for (const text of ["", "https://console.example.com/", "console/path?q=%zz", "//host/path", "a b"]) {
  test(`'${text}' is a URL or a relative reference`, () => assert.equal(isUrlReference(text), true));
}

for (const text of [":", "https://host/\u007f", "https://host/%zz", "https://host:port/", "https://[::1/"]) {
  test(`${JSON.stringify(text)} is neither`, () => assert.equal(isUrlReference(text), false));
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { isUrlReference } from "./url-reference.ts";

for (const text of [
  "",
  "https://console.example.com/",
  "console/path?q=%zz",
  "//host/path",
  "a b",
  "./12:30",
  "a?b=c:d",
  "mailto:a",
]) {
  test(`'${text}' is a URL or a relative reference`, () => assert.equal(isUrlReference(text), true));
}

for (const text of [
  ":",
  "https://host/\u007f",
  "https://host/%zz",
  "https://host:port/",
  "https://[::1/",
  "12:30",
  "{a:b}/c",
]) {
  test(`${JSON.stringify(text)} is neither`, () => assert.equal(isUrlReference(text), false));
}

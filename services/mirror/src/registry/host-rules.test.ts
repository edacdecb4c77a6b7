import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedUrl, ownUrl } from "./host-rules.ts";

const rules = { registry: "quay.io", authHosts: ["auth.quay.io:8443"], redirectHosts: ["*.storage.example"] };
const base = new URL("https://quay.io/v2/");

test("listed hosts are allowed, each for its own purpose", () => {
  assert.equal(allowedUrl("/token", base, rules, "authHosts").href, "https://quay.io/token");
  assert.equal(allowedUrl("https://auth.quay.io:8443/t", base, rules, "authHosts").host, "auth.quay.io:8443");
  assert.equal(
    allowedUrl("https://eu.storage.example/blob?sig=1", base, rules, "redirectHosts").host,
    "eu.storage.example",
  );
});

for (const url of [
  "http://quay.io/token",
  "https://auth.quay.io/t",
  "https://169.254.169.254/",
  "https://[::1]/",
  "https://localhost:8443/",
  "https://quay.io.evil.example/",
  "https://user:pw@quay.io/",
  "https://quay.io:444/",
  "file:///etc/passwd",
  "//evil.example/",
  "https://",
]) {
  test(`${url} is not`, () => {
    assert.throws(() => allowedUrl(url, base, rules, "authHosts"), { code: "HostNotAllowed" });
    assert.throws(() => ownUrl(url, base, rules), { code: "HostNotAllowed" });
  });
}

for (const url of [
  "https://storage.example/",
  "https://x.storage.example:8080/",
  "https://x.storage.example.evil/",
  "https://notstorage.example/",
]) {
  test(`${url} is not below *.storage.example`, () => {
    assert.throws(() => allowedUrl(url, base, rules, "redirectHosts"), { code: "HostNotAllowed" });
  });
}

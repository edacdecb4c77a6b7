import assert from "node:assert/strict";
import { test } from "node:test";
import { inRegistry } from "./samples-registry.ts";

const digest = `sha256:${"a".repeat(64)}`;

/** Rows: an image, an override, and the expected image. */
const rows: readonly (readonly [string, string, string])[] = [
  ["registry.redhat.io/ubi8/nodejs-20:latest", "", "registry.redhat.io/ubi8/nodejs-20:latest"],
  ["registry.redhat.io/ubi8/nodejs-20:latest", "mirror.local", "mirror.local/ubi8/nodejs-20:latest"],
  [
    "registry.redhat.io/ubi8/nodejs-20:latest",
    "mirror.local:5000",
    "mirror.local:5000/ubi8/nodejs-20:latest",
  ],
  [
    "registry.redhat.io/ubi8/nodejs-20:latest",
    "mirror.local:5000/ocp",
    "mirror.local:5000/ocp/ubi8/nodejs-20:latest",
  ],
  ["registry.redhat.io/ubi8/nodejs-20:latest", "mirror.local/ocp/", "mirror.local/ocp/ubi8/nodejs-20:latest"],
  ["registry.access.redhat.com/ubi9/php:1", "mirror.local", "mirror.local/ubi9/php:1"],
  ["registry.access.redhat.com/ubi9/php:1", "registry.redhat.io", "registry.redhat.io/ubi9/php:1"],
  ["quay.io/openshift/jenkins:2", "mirror.local", "mirror.local/openshift/jenkins:2"],
  ["docker.io/library/ruby:3", "mirror.local", "mirror.local/library/ruby:3"],
  ["registry.svc.ci.openshift.org/a/b:1", "mirror.local", "mirror.local/a/b:1"],
  ["icr.io/appcafe/websphere-liberty:1", "mirror.local", "mirror.local/appcafe/websphere-liberty:1"],
  ["other.io:8443/a/b:1", "mirror.local", "mirror.local/a/b:1"],
  [`quay.io/a/b@${digest}`, "mirror.local/x", `mirror.local/x/a/b@${digest}`],
  // The image is already in the registry of the override.
  ["mirror.local/a/b:1", "mirror.local", "mirror.local/a/b:1"],
  ["mirror.local/x/a:1", "mirror.local/x", "mirror.local/x/a:1"],
  // This host name only begins with the override's host name, so it is a different host.
  ["mirror.local.example/a/b:1", "mirror.local", "mirror.local/a/b:1"],
  // If a name does not have exactly three components, the complete name is appended to the override.
  ["quay.io/a/b/c:1", "mirror.local", "mirror.local/quay.io/a/b/c:1"],
  ["a/b:1", "mirror.local", "mirror.local/a/b:1"],
  ["ruby:3", "mirror.local:5000/x", "mirror.local:5000/x/ruby:3"],
];

for (const [image, override, expected] of rows)
  test(`${image} in ${override || "no other registry"} is ${expected}`, () => {
    assert.equal(inRegistry(image, override), expected);
    assert.equal(inRegistry(expected, override), expected, "once more changes nothing");
  });

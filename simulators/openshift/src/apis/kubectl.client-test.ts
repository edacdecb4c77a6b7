import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "./testing/api-world.ts";

/** Path of kubectl. `KUBECTL` overrides the binary in `PATH`. */
const program = process.env.KUBECTL ?? "kubectl";
const directory = mkdtempSync(join(tmpdir(), "kubectl-apis-"));
const environment = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") };
let world: ApiWorld;

before(async () => {
  world = await ApiWorld.start();
  writeFileSync(environment.KUBECONFIG, JSON.stringify(world.kubeconfig));
});
after(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

/**
 * Path of a recent kubectl. Before version 1.27, `kubectl explain` reads fields from OpenAPI 2.0, which contains no fields of
 * aggregated kinds.
 */
const recentKubectl = join(import.meta.dirname, "../../../../.tools/clients/sid/usr/bin/kubectl");

/**
 * Runs kubectl and returns its standard output and standard error together.
 * @throws AssertionError if kubectl fails
 */
function kubectl(args: readonly string[], input?: object, client = program): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = execFile(client, args, { env: environment, timeout: 900_000 }, (error, out, err) => {
    assert.equal(error, null, `kubectl ${args.join(" ")}: ${out}${err}`);
    resolve(`${out}${err}`);
  });
  child.stdin?.end(input === undefined ? "" : JSON.stringify(input));
  return promise;
}

test("kubectl applies an image stream, and shows it and its tags", async () => {
  const stream = {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStream",
    metadata: { namespace: "openshift", name: "ruby" },
    spec: { tags: [{ name: "3.3", from: { kind: "DockerImage", name: "quay.io/team/ruby:3.3" } }] },
  };
  assert.match(
    await kubectl(["apply", "-f", "-"], stream),
    /imagestream\.image\.openshift\.io\/ruby created/,
  );
  await eventually(async () =>
    assert.match(
      await kubectl(["get", "istag", "-n", "openshift"]),
      /ruby:3\.3 +quay\.io\/team\/ruby@sha256:/,
    ),
  );
  assert.match(await kubectl(["apply", "-f", "-"], stream), /unchanged|configured/);
  const shown = await kubectl(["get", "is", "-n", "openshift"]);
  assert.match(shown, /NAME +IMAGE REPOSITORY +TAGS +UPDATED/);
  assert.match(shown, /ruby +image-registry\.openshift-image-registry\.svc:5000\/openshift\/ruby/);
  assert.match(await kubectl(["delete", "istag", "ruby:3.3", "-n", "openshift"]), /deleted/);
});

test("kubectl creates a route without a host, and waits until it is admitted", async () => {
  const route = {
    apiVersion: "route.openshift.io/v1",
    kind: "Route",
    metadata: { namespace: "default", name: "web" },
    spec: { to: { kind: "Service", name: "web" } },
  };
  assert.match(await kubectl(["create", "-f", "-"], route), /route\.route\.openshift\.io\/web created/);
  await eventually(async () =>
    assert.match(await kubectl(["get", "routes"]), /web +web-default\.apps\.\S+ +web +<all> +None/),
  );
  const patched = await kubectl([
    "patch",
    "route",
    "web",
    "--type=merge",
    "-p",
    '{"spec":{"host":"a.example.com"}}',
  ]);
  assert.match(patched, /patched/);
});

test("kubectl supports the aggregated kinds", async () => {
  const names = await kubectl(["api-resources", "--api-group=image.openshift.io", "-o", "name"]);
  assert.match(names, /imagestreamtags\.image\.openshift\.io/);
  assert.match(await kubectl(["get", "projects"]), /default +\S* *Active/);
  assert.match(await kubectl(["get", "templates", "-n", "openshift"]), /No resources found/);
  assert.match(await kubectl(["explain", "route"]), /KIND: +Route/);
  const explain = (path: string) => kubectl(["explain", path], undefined, recentKubectl);
  assert.match(await explain("route.spec.tls"), /\n +insecureEdgeTerminationPolicy\s+<string>/);
  assert.match(await explain("route.spec.port.targetPort"), /FIELD: targetPort/);
  assert.match(await explain("imagestream.spec"), /\n +tags\s+<\[\]Object>/);
  assert.match(await explain("template.objects"), /Objects to create/);
  assert.match(await explain("project"), /Namespace with a display name/);
  assert.match(await explain("user"), /\n +fullName\s+<string>/);
  assert.match(await explain("securitycontextconstraints.allowHostPorts"), /FIELD: allowHostPorts <boolean>/);
  assert.match(await explain("buildconfig.spec.strategy.dockerStrategy.noCache"), /FIELD: noCache <boolean>/);
  assert.match(await kubectl(["create", "namespace", "made"]), /created/);
  assert.match(await kubectl(["get", "project", "made", "-o", "jsonpath={.status.phase}"]), /Active/);
});

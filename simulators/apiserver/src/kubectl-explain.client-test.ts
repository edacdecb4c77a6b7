/** Tests published documents, patches and tables with an unmodified kubectl. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import { type ApiServer, type LogicalCluster, startApiServer } from "./index.ts";

const run = promisify(execFile);

describe("kubectl", { timeout: 900_000 }, () => {
  let directory: string;
  let server: ApiServer;
  let cluster: LogicalCluster;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "keelson-kubectl-"));
    const authority = await createCertificateAuthority("test", 1);
    const request = { validDays: 1, ipAddresses: ["127.0.0.1"] };
    const tls = await issueCertificate(authority, { ...request, commonName: "server", usage: "server" });
    const user = { commonName: "system:admin", organizations: ["system:masters"] };
    const client = await issueCertificate(authority, { ...request, ...user, usage: "client" });
    const storage = { kind: "memory" } as const;
    server = await startApiServer({
      host: "127.0.0.1",
      port: 0,
      tls,
      storage,
      logger: silentLogger,
      clock: systemClock,
    });
    cluster = await server.createCluster({
      name: "c",
      clientCertificateAuthorities: [authority.certificatePem],
    });
    const kubeconfig = createKubeconfig({
      server: cluster.url,
      caPem: authority.certificatePem,
      clientCertificatePem: client.certificatePem,
      clientKeyPem: client.privateKeyPem,
      clusterName: "c",
      userName: "admin",
    });
    await writeFile(join(directory, "kubeconfig"), kubeconfig, { mode: 0o600 });
    await kubectl("create", "-f", await file(gadgets));
    await kubectl("wait", "--for=condition=Established", "crd/gadgets.example.com");
  });

  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  async function kubectl(...args: readonly string[]): Promise<string> {
    const flags = ["--kubeconfig", join(directory, "kubeconfig"), "--cache-dir", join(directory, "cache")];
    return (await run("kubectl", [...flags, ...args])).stdout;
  }

  async function file(object: unknown): Promise<string> {
    const path = join(directory, "object.json");
    await writeFile(path, JSON.stringify(object));
    return path;
  }

  test("explain lists the fields of a built-in kind, including nested ones", async () => {
    const configMap = await kubectl("explain", "configmap");
    assert.match(configMap, /KIND:\s+ConfigMap\nVERSION:\s+v1/);
    assert.match(configMap, /data\t<map\[string\]string>/);
    assert.match(
      await kubectl("explain", "pod.spec.containers"),
      /env\t<\[\](?:Object|EnvVar)>[\s\S]*name\t<string> -required-/,
    );
    assert.match(await kubectl("explain", "deployment.spec.strategy.rollingUpdate"), /maxSurge/);
  });

  test("explain lists the fields of a custom kind", async () => {
    assert.match(await kubectl("explain", "gadget.spec"), /size\t<integer> -required-\s+How many there are/);
  });

  test("create rejects a field that is not in the schema", async () => {
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "wrong", namespace: "default" },
      wrong: 1,
    };
    await assert.rejects(
      file(object).then((path) => kubectl("create", "-f", path)),
      /unknown field "wrong"/,
    );
    const gadget = {
      apiVersion: "example.com/v1",
      kind: "Gadget",
      metadata: { name: "g", namespace: "default" },
    };
    const path = await file({ ...gadget, spec: { size: 1, wrong: 1 } });
    await assert.rejects(kubectl("create", "-f", path), /unknown field "(?:spec\.)?wrong"/);
  });

  test("create accepts unknown fields that a schema preserves", async () => {
    const metadata = { name: "open", namespace: "default" };
    const spec = { size: 1, free: { any: ["thing"] }, maybe: null, port: "http" };
    const path = await file({ apiVersion: "example.com/v1", kind: "Gadget", metadata, spec });
    assert.match(await kubectl("create", "-f", path), /gadget.example.com\/open created/);
    assert.match(await kubectl("get", "gadget", "open"), /NAME\s+SIZE\s+SINCE\nopen\s+1\s+\d+s\n/);
  });

  test("apply merges lists by key and keeps items of other managers", async () => {
    const deployment = (containers: readonly unknown[]) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d", namespace: "default" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers } },
      },
    });
    await kubectl(
      "apply",
      "-f",
      await file(
        deployment([
          { name: "a", image: "1" },
          { name: "gone", image: "1" },
        ]),
      ),
    );
    const injected = { spec: { template: { spec: { containers: [{ name: "injected", image: "1" }] } } } };
    await kubectl("patch", "deployment", "d", "-p", JSON.stringify(injected));
    await kubectl("apply", "-f", await file(deployment([{ name: "a", image: "2" }])));
    const path = "{range .spec.template.spec.containers[*]}{.name}={.image} {end}";
    const shown = await kubectl("get", "deployment", "d", "-o", `jsonpath=${path}`);
    assert.deepEqual(shown.trim().split(" ").sort(), ["a=2", "injected=1"]);
  });

  test("apply with a server-side dry run stores nothing", async () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "dry", namespace: "default" } };
    assert.match(await kubectl("apply", "--dry-run=server", "-f", await file(object)), /dry run/);
    await assert.rejects(kubectl("get", "configmap", "dry"), /NotFound/);
  });
});

const gadgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Since", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["size"],
                properties: {
                  size: { type: "integer", description: "How many there are." },
                  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                  maybe: { type: "object", nullable: true, properties: { a: { type: "string" } } },
                  port: { "x-kubernetes-int-or-string": true },
                },
              },
            },
          },
        },
      },
    ],
  },
};

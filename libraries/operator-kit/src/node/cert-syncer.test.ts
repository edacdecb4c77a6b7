import assert from "node:assert/strict";
import { access, mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Metrics, silentLogger, systemClock } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { type EventText, Manager, type ManagerParts } from "@keelson/controller";
import { apiServers, type TestApiServer } from "@keelson/controller/testing";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { certSyncer } from "./cert-syncer.ts";
import { NodeDisk } from "./node-disk.ts";

const signal = new AbortController().signal;
const namespace = "operand";
const names = {
  configMaps: ["client-ca"],
  optionalConfigMaps: ["trusted-ca-bundle"],
  secrets: ["serving"],
  optionalSecrets: ["user-serving-cert-000"],
};

for (const { name: serverName, start } of apiServers) {
  let server: TestApiServer;
  let kube: KubeClient;
  let root: string;
  const events: EventText[] = [];
  const stop = new AbortController();
  let running: Promise<void>;
  const path = (kind: string, name: string) => join(root, "certs", kind, name);
  const write = (kind: "secrets" | "configmaps", name: string, data: Readonly<Record<string, string>>) => {
    const isSecret = kind === "secrets";
    const resource = isSecret ? resources.secrets : resources.configMaps;
    const base64 = (text: string) => (isSecret ? Buffer.from(text).toString("base64") : text);
    const object: KubeObject = {
      apiVersion: "v1",
      kind: isSecret ? "Secret" : "ConfigMap",
      metadata: { namespace, name },
      data: Object.fromEntries(Object.entries(data).map(([member, text]) => [member, base64(text)])),
    };
    return kube.apply(resource, object, signal, { force: true });
  };

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "cert-syncer-"));
    server = await start();
    kube = server.connect();
    const metadata = { name: namespace };
    await kube.create(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata }, signal);
    await write("secrets", "serving", { "tls.crt": "0", "tls.key": "0" });
    await write("secrets", "etcd-client-7", { "tls.key": "not synced" });
    const disk = new NodeDisk((each) => join(root, each));
    const controller = certSyncer<ManagerParts>({
      namespace,
      destinationDir: "/certs",
      names,
      disk,
      parts: ({ api, cache, clock }) => ({ api, cache, clock, report: (event) => events.push(event) }),
    });
    const manager = new Manager({
      api: kube,
      component: "cert-syncer",
      instance: "test",
      context: (parts) => parts,
      controllers: [controller],
      metrics: new Metrics(),
      clock: systemClock,
      logger: silentLogger,
    });
    running = manager.run(stop.signal);
  });
  after(async () => {
    stop.abort();
    await running;
    await kube[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await rm(root, { recursive: true });
  });

  test(`certificates come to the disk, also while a required one is missing (${serverName})`, async () => {
    await until(() => exists(join(path("secrets", "serving"), "tls.key")));
    assert.ok(!(await exists(path("configmaps", "client-ca"))));
    await write("configmaps", "client-ca", { "ca-bundle.crt": "ca" });
    await until(() => exists(path("configmaps", "client-ca")));
    assert.equal((await stat(join(path("configmaps", "client-ca"), "ca-bundle.crt"))).mode & 0o777, 0o644);
    assert.equal((await stat(join(path("secrets", "serving"), "tls.key"))).mode & 0o777, 0o600);
    assert.deepEqual(
      (await readdir(join(root, "certs/secrets"))).filter((name) => !name.startsWith(".")),
      ["serving"],
    );
    await until(async () =>
      events.some(
        ({ reason, message }) =>
          reason === "CertificateUpdated" && message === "Wrote updated secret: operand/serving",
      ),
    );
  });

  test(`acceptance 16: a reader in a loop never sees a key without its certificate (${serverName})`, async () => {
    let last = 0;
    const reading = (async () => {
      const seen = new Set<string>();
      while (last < 40 || !seen.has("40")) {
        const open = await realpath(path("secrets", "serving"));
        try {
          const certificate = await readFile(join(open, "tls.crt"), "utf8");
          await new Promise((resolve) => setImmediate(resolve));
          assert.equal(await readFile(join(open, "tls.key"), "utf8"), certificate);
          seen.add(certificate);
        } catch (error) {
          // The directory version that contains the file was removed while the test read it. The next iteration of the loop reads
          // the current version.
          if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
        }
      }
      return seen.size;
    })();
    for (let version = 1; version <= 40; version += 1) {
      await write("secrets", "serving", { "tls.crt": `${version}`, "tls.key": `${version}` });
      last = version;
    }
    assert.ok((await reading) > 1);
  });

  test(`acceptance 20: what leaves the cluster leaves the disk, unless it is required (${serverName})`, async () => {
    const user = "user-serving-cert-000";
    await write("secrets", user, { "tls.crt": "u", "tls.key": "u" });
    await until(() => exists(path("secrets", user)));
    await kube.delete(resources.secrets, { namespace, name: "serving" }, signal);
    await kube.delete(resources.secrets, { namespace, name: user }, signal);
    await until(async () => !(await exists(path("secrets", user))));
    assert.ok(await exists(join(path("secrets", "serving"), "tls.key")));
    await until(async () => events.some(({ reason }) => reason === "CertificateRemoved"));
  });

  test(`a file that was changed by hand is as in the cluster after the next change (${serverName})`, async () => {
    await rm(await realpath(path("configmaps", "client-ca")), { recursive: true });
    await write("configmaps", "client-ca", { "ca-bundle.crt": "other" });
    await until(async () => {
      const text = readFile(join(path("configmaps", "client-ca"), "ca-bundle.crt"), "utf8");
      return (await text.catch(() => "")) === "other";
    });
  });
}

function exists(place: string): Promise<boolean> {
  return access(place).then(
    () => true,
    () => false,
  );
}

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Metrics, silentLogger, stringAt, systemClock } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { type Condition, type EventText, Manager, type ManagerParts } from "@keelson/controller";
import { apiServers, type TestApiServer } from "@keelson/controller/testing";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { isSignedBy, readCertificates } from "./certificate-chain.ts";
import { certificateRotation, type RotationRow } from "./controller.ts";

const dayMs = 86_400_000;
const signal = new AbortController().signal;

for (const { name: serverName, start } of apiServers) {
  let server: TestApiServer;
  let kube: KubeClient;
  before(async () => {
    server = await start();
    kube = server.connect();
    await kube.create(resources.namespaces, namespace("rotated"), signal);
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test(`certificates are kept on ${serverName}: what is deleted or spoiled comes back`, async () => {
    let hostnames: readonly string[] = [];
    const conditions = new Map<string, Condition>();
    const events: EventText[] = [];
    const metrics = new Metrics();
    const expiry = metrics.gauge({ name: "expiry", help: "x", labels: ["namespace", "name"] });
    const rows: readonly RotationRow<ManagerParts>[] = [
      row("client", () => ({ usage: "client", commonName: "system:client" })),
      row("server", () => ({ usage: "server", hostnames })),
    ];
    const controller = certificateRotation<ManagerParts>({
      rows,
      policy: { keyType: "ecdsa" },
      inputs: () => [],
      parts: ({ api, cache, clock }) => ({
        api,
        cache,
        clock,
        expiry,
        report: (event) => events.push(event),
        setConditions: async (set) => {
          for (const each of set) conditions.set(each.type, each);
        },
      }),
    });
    const manager = new Manager({
      api: kube,
      component: "rotation",
      instance: "test",
      context: (parts) => parts,
      controllers: [controller],
      metrics,
      clock: systemClock,
      logger: silentLogger,
    });
    const stop = new AbortController();
    const running = manager.run(stop.signal);
    try {
      await until(() => conditions.get("CertRotation_server_Degraded")?.message === "no hostnames set");
      assert.equal(conditions.get("CertRotation_server_Degraded")?.reason, "RotationError");
      await until(() => events.some(({ reason }) => reason === "RotationError"));
      hostnames = ["localhost"];
      await until(() => conditions.get("CertificatesValid")?.status === "True");
      assert.deepEqual(conditions.get("CertRotation_client_Degraded")?.status, "False");
      assert.match(
        conditions.get("CertificatesValid")?.message ?? "",
        /rotated\/(client|server)-cert, at 20/,
      );
      assert.match((await metrics.expose()).body, /expiry\{namespace="rotated",name="server-cert"\} \d+/);

      const first = await secret("client-cert");
      await kube.delete(resources.secrets, { namespace: "rotated", name: "client-cert" }, signal);
      await until(async () => (await findSecret("client-cert"))?.metadata.uid !== undefined);
      const second = await secret("client-cert");
      assert.notEqual(second.metadata.uid, first.metadata.uid);
      const bundle = await kube.get(
        resources.configMaps,
        { namespace: "rotated", name: "client-ca" },
        signal,
      );
      const [authority] = readCertificates(stringAt(bundle, "data", "ca-bundle.crt") ?? "");
      const [certificate] = certificates(second);
      assert.ok(authority && certificate && isSignedBy(certificate, authority));

      const annotations = { "auth.openshift.io/certificate-not-after": "malformed" };
      await kube.mergePatch(
        resources.secrets,
        { namespace: "rotated", name: "client-cert" },
        { metadata: { annotations } },
        signal,
      );
      await until(() => events.some(({ message }) => message.includes('bad expiry: "malformed"')));
      await until(
        async () => certificates(await secret("client-cert"))[0]?.raw.equals(certificate.raw) === false,
      );
      const said = events.map(({ reason, message }) => `${reason}: ${message}`);
      for (const expected of [
        "SecretCreated: Created Secret/client-signer -n rotated because it was missing",
        "ConfigMapCreated: Created ConfigMap/client-ca -n rotated because it was missing",
        "SecretCreated: Created Secret/client-cert -n rotated because it was missing",
        "SecretUpdated: Updated Secret/client-cert -n rotated because it changed",
      ])
        assert.ok(said.includes(expected), said.join("\n"));
    } finally {
      stop.abort();
      await running;
    }
  });

  async function findSecret(name: string): Promise<KubeObject | undefined> {
    return kube.find(resources.secrets, { namespace: "rotated", name }, signal);
  }

  async function secret(name: string): Promise<KubeObject> {
    return kube.get(resources.secrets, { namespace: "rotated", name }, signal);
  }
}

function row(
  name: string,
  subject: RotationRow<ManagerParts>["target"]["subject"],
): RotationRow<ManagerParts> {
  const pair = { namespace: "rotated", validityMs: 30 * dayMs, refreshMs: 15 * dayMs };
  return {
    name,
    component: "test",
    signer: { ...pair, name: `${name}-signer`, description: "Signs." },
    bundle: { namespace: "rotated", name: `${name}-ca`, description: "Verifies." },
    target: { ...pair, name: `${name}-cert`, description: "Is used.", subject },
  };
}

function namespace(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

function certificates(secret: KubeObject) {
  return readCertificates(Buffer.from(stringAt(secret, "data", "tls.crt") ?? "", "base64").toString());
}

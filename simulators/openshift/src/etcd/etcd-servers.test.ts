import assert from "node:assert/strict";
import { createDecipheriv } from "node:crypto";
import { once } from "node:events";
import { connect, constants } from "node:http2";
import { duplexPair } from "node:stream";
import { after, before, describe, test } from "node:test";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { readFields } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  listAt,
  silentLogger,
  stringAt,
} from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { connectKube, type KubeClient } from "@keelson/kube";
import { keyPairIn, secret } from "../base/data-objects.ts";
import { resources } from "../base/resources.ts";
import { installed } from "../testing/installed-cluster.ts";
import type { TestWorld } from "../testing/installed-world.ts";
import { EtcdServers } from "./etcd-servers.ts";

const signal = AbortSignal.timeout(900_000);
const namespace = "openshift-etcd";
const range = "/etcdserverpb.KV/Range";

interface Reply {
  readonly status: number;
  readonly message: string;
  readonly body: Buffer;
}

/** Encodes a RangeRequest with byte fields and integer fields. */
function request(fields: Readonly<Record<number, string | number>>): Buffer {
  return Buffer.concat(
    Object.entries(fields).map(([number, value]) =>
      typeof value === "number"
        ? Buffer.from([Number(number) << 3, value])
        : Buffer.concat([Buffer.from([(Number(number) << 3) | 2, value.length]), Buffer.from(value)]),
    ),
  );
}

/** Decodes the key-value pairs and the count of a RangeResponse. */
function decode(body: Buffer) {
  const fields = [...readFields(body)];
  const keyValues = fields
    .filter(({ number }) => number === 2)
    .map(({ value }) => {
      assert.ok(value instanceof Uint8Array);
      const pair = new Map([...readFields(value)].map((each) => [each.number, each.value]));
      const bytes = (number: number) =>
        Buffer.from(pair.get(number) instanceof Uint8Array ? (pair.get(number) as Uint8Array) : []);
      return { key: String(bytes(1)), value: bytes(5), revision: Number(pair.get(3)) };
    });
  const integer = (wanted: number) => Number(fields.find(({ number }) => number === wanted)?.value ?? 0);
  return { keyValues, count: integer(4), more: integer(3) === 1 };
}

describe("the etcd members of a simulated cluster", { timeout: 900_000 }, () => {
  let world: TestWorld;
  let kube: KubeClient;
  let pod = "";
  let bundle = "";
  let identity: KeyPair | undefined;

  before(async () => {
    world = await installed({ workers: 2 });
    await world.client.create(
      { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterrolebindings" },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: "etcd-test" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ kind: "ServiceAccount", namespace, name: "default" }],
      },
    );
    kube = connectKube({
      kubeconfig: await world.kubeconfigOf(namespace, "default"),
      userAgent: "test",
      fieldManager: "test",
    });
    const { client } = world;
    await eventually(async () => {
      const service = await client.get(resources.services, { namespace, name: "etcd" });
      assert.deepEqual(
        service.spec && listAt(service, "spec", "ports").map((each) => stringAt(each, "name")),
        ["etcd"],
      );
      const [first] = (await client.list(resources.pods, { namespace, labelSelector: "etcd=true" })).items;
      assert.equal(stringAt(first, "status", "phase"), "Running");
      pod = first?.metadata.name ?? "";
      const node = stringAt(first, "spec", "nodeName");
      await client.get(resources.secrets, { namespace, name: `etcd-serving-${node}` });
    });
    const config = "openshift-config";
    identity = keyPairIn(await client.get(resources.secrets, { namespace: config, name: "etcd-client" }));
    const ca = await client.get(resources.configMaps, { namespace: config, name: "etcd-ca-bundle" });
    bundle = stringAt(ca, "data", "ca-bundle.crt") ?? "";
  });
  after(async () => {
    await kube?.[Symbol.asyncDispose]();
    await world?.[Symbol.asyncDispose]();
  });

  /** Opens a TLS connection through port-forward. The server's certificate must be valid for 127.0.0.1. */
  async function dial(pair: KeyPair | undefined): Promise<TLSSocket> {
    const connection = await kube.connectPort({ namespace, name: pod }, 2_379, signal);
    const client = pair === undefined ? {} : { cert: pair.certificatePem, key: pair.privateKeyPem };
    return connectTls({
      socket: connection,
      ca: bundle,
      host: "127.0.0.1",
      ALPNProtocols: ["h2"],
      ...client,
    });
  }

  async function call(message: Buffer, path = range): Promise<Reply> {
    const socket = await dial(identity);
    await once(socket, "secureConnect");
    const session = connect("https://127.0.0.1", { createConnection: () => socket });
    try {
      const stream = session.request({
        [constants.HTTP2_HEADER_METHOD]: "POST",
        [constants.HTTP2_HEADER_PATH]: path,
        "content-type": "application/grpc",
        te: "trailers",
      });
      let status = "";
      let text = "";
      const read = (headers: object) => {
        status = stringAt(headers, "grpc-status") ?? status;
        text = stringAt(headers, "grpc-message") ?? text;
      };
      stream.on("response", read).on("trailers", read);
      const frame = Buffer.alloc(5);
      frame.writeUInt32BE(message.length, 1);
      stream.end(Buffer.concat([frame, message]));
      const body = Buffer.concat(await stream.toArray());
      return { status: Number(status), message: decodeURIComponent(text), body: body.subarray(5) };
    } finally {
      session.destroy();
    }
  }

  const life = "/kubernetes.io/secrets/default/life";
  const store = () =>
    world.client.create(resources.secrets, secret("default", "life", { quote: "I have no special talents" }));

  test("list the Secrets and ConfigMaps as protocol buffers", async () => {
    const { metadata } = await store();
    const one = decode((await call(request({ 1: life }))).body);
    assert.deepEqual(
      one.keyValues.map(({ key, revision }) => [key, revision]),
      [[life, Number(metadata.resourceVersion)]],
    );
    const [found] = one.keyValues;
    assert.equal(found?.value.subarray(0, 4).toString("latin1"), "k8s\0");
    assert.match(String(found?.value), /I have no special talents/);
    for (const resource of ["secrets", "configmaps"]) {
      const all = decode(
        (await call(request({ 1: `/kubernetes.io/${resource}/`, 2: `/kubernetes.io/${resource}0` }))).body,
      );
      assert.equal(all.count, all.keyValues.length);
      assert.ok(all.count > 10);
      assert.ok(
        all.keyValues.every(
          ({ key, value }) => key.startsWith(`/kubernetes.io/${resource}/`) && value.length > 4,
        ),
      );
      const keys = all.keyValues.map(({ key }) => key);
      assert.deepEqual(keys, keys.toSorted());
    }
    const some = decode((await call(request({ 1: "/", 2: "0", 3: 2, 8: 1 }))).body);
    assert.deepEqual([some.keyValues.map(({ value }) => value.length), some.more], [[0, 0], true]);
    const counted = decode(
      (await call(request({ 1: "/kubernetes.io/pods/", 2: "/kubernetes.io/pods0", 9: 1 }))).body,
    );
    assert.deepEqual([counted.count, counted.keyValues], [0, []]);
  });

  test("encrypt values with the write key of the masters' oldest revision", async () => {
    const { client } = world;
    const key = Buffer.alloc(32, 7);
    const keys = [{ name: "3", secret: key.toString("base64") }];
    const configured = async (revision: number, provider: object) => {
      const config = {
        kind: "EncryptionConfiguration",
        resources: [{ resources: ["secrets"], providers: [provider, { identity: {} }] }],
      };
      const name = `encryption-config-${revision}`;
      await client.create(
        resources.secrets,
        secret("openshift-kube-apiserver", name, { "encryption-config": JSON.stringify(config) }),
      );
      const operator = await client.get(resources.kubeApiServers, { name: "cluster" });
      const nodeStatuses = listAt(operator, "status", "nodeStatuses").map((each) => ({
        ...Object(each),
        currentRevision: revision,
      }));
      await client.updateStatus(resources.kubeApiServers, {
        ...operator,
        status: { ...Object(operator.status), nodeStatuses },
      });
    };
    await configured(21, { aescbc: { keys } });
    const cbc = await storedAfter("k8s:enc:aescbc:v1:3:");
    const decipher = createDecipheriv("aes-256-cbc", key, cbc.subarray(0, 16));
    assert.match(String(Buffer.concat([decipher.update(cbc.subarray(16)), decipher.final()])), /^k8s\0/);
    await configured(22, { aesgcm: { keys } });
    const gcm = await storedAfter("k8s:enc:aesgcm:v1:3:");
    const open = createDecipheriv("aes-256-gcm", key, gcm.subarray(0, 12));
    open.setAAD(Buffer.from(life)).setAuthTag(gcm.subarray(-16));
    assert.match(
      String(Buffer.concat([open.update(gcm.subarray(12, -16)), open.final()])),
      /no special talents/,
    );
    const maps = decode(
      (await call(request({ 1: "/kubernetes.io/configmaps/", 2: "/kubernetes.io/configmaps0", 3: 1 }))).body,
    );
    assert.equal(maps.keyValues[0]?.value.subarray(0, 4).toString("latin1"), "k8s\0");
    await configured(23, { kms: { name: "3_secrets" } });
    const refused = await call(request({ 1: life }));
    assert.equal(refused.status, 9);
    assert.match(refused.message, /provider "kms"/);
    await configured(24, { identity: {} });
    assert.match(String(await storedAfter("k8s\0")), /no special talents/);
  });

  /** Asserts that the value of the Secret in etcd starts with `prefix`. Returns the bytes after the prefix. */
  async function storedAfter(prefix: string): Promise<Buffer> {
    const [found] = decode((await call(request({ 1: life }))).body).keyValues;
    assert.equal(found?.value.subarray(0, prefix.length).toString("latin1"), prefix);
    return found?.value.subarray(prefix.length) ?? Buffer.alloc(0);
  }

  test("reject other methods, past revisions and malformed requests", async () => {
    assert.equal((await call(Buffer.alloc(0), "/etcdserverpb.KV/Put")).status, 12);
    const past = await call(request({ 1: life, 4: 1 }));
    assert.deepEqual(
      [past.status, past.message],
      [11, "etcdserver: mvcc: required revision has been compacted"],
    );
    assert.equal((await call(Buffer.from([0x0a, 0x7f]))).status, 3);
  });

  test("refuse clients without a certificate of etcd's CA", async () => {
    const other = await issueCertificate(await createCertificateAuthority("other", 1), {
      commonName: "intruder",
      usage: "client",
      validDays: 1,
    });
    const member = await world.client.get(resources.pods, { namespace, name: pod });
    using servers = new EtcdServers({ client: world.client, logger: silentLogger });
    assert.equal(servers.serverOf(member, 2_380), undefined);
    for (const pair of [undefined, other]) {
      const [socket, served] = duplexPair();
      servers.serverOf(member, 2_379)?.(served);
      const client = pair === undefined ? {} : { cert: pair.certificatePem, key: pair.privateKeyPem };
      const secure = connectTls({ socket, ca: bundle, host: "127.0.0.1", ALPNProtocols: ["h2"], ...client });
      secure.on("error", () => undefined).write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
      await once(served, "close");
      secure.destroy();
    }
  });
});

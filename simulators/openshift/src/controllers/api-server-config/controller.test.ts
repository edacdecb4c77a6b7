import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { connect } from "node:tls";
import { createCertificateAuthority, issueCertificate, listAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { configMap, tlsSecret } from "../../base/data-objects.ts";
import { resources } from "../../base/resources.ts";
import { installed } from "../../testing/installed-cluster.ts";
import type { TestWorld } from "../../testing/installed-world.ts";

const namespace = "openshift-kube-apiserver";
const host = "shop.example.com";
const key = { name: "cluster" };

describe("the configuration of the masters' revision", { timeout: 900_000 }, () => {
  let world: TestWorld;
  before(async () => {
    world = await installed({ workers: 2 });
  });
  after(() => world?.[Symbol.asyncDispose]());

  /** Connects with `servername` and returns the DNS names in the server's certificate. */
  async function servedNames(servername: string): Promise<string> {
    const { hostname, port } = new URL(world.cluster.url);
    const socket = connect({ host: hostname, port: Number(port), servername, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { subjectaltname = "" } = socket.getPeerCertificate();
    socket.destroy();
    return subjectaltname;
  }

  async function configure(revision: number, names: readonly string[], ttl: string): Promise<void> {
    const { client } = world;
    const files = "/etc/kubernetes/static-pod-certs/secrets/user-serving-cert-000";
    const config = {
      apiServerArguments: { "event-ttl": [ttl] },
      servingInfo: {
        namedCertificates: [{ names, certFile: `${files}/tls.crt`, keyFile: `${files}/tls.key` }],
      },
    };
    const data = { "config.yaml": JSON.stringify(config) };
    await client.create(resources.configMaps, configMap(namespace, `config-${revision}`, data));
    const operator = await client.get(resources.kubeApiServers, key);
    const nodes = listAt(operator, "status", "nodeStatuses");
    assert.equal(nodes.length, 3);
    const nodeStatuses = nodes.map((each) => ({ ...Object(each), currentRevision: revision }));
    const status = { ...Object(operator.status), latestAvailableRevision: revision, nodeStatuses };
    await client.updateStatus(resources.kubeApiServers, { ...operator, status });
  }

  test("sets the certificates of host names and the TTL of Events", async () => {
    const { client } = world;
    const authority = await createCertificateAuthority("shop", 2);
    const pair = await issueCertificate(authority, {
      commonName: host,
      dnsNames: [host, "www.example.com"],
      usage: "server",
      validDays: 1,
    });
    await client.create(resources.secrets, tlsSecret(namespace, "user-serving-cert-000", pair));
    assert.doesNotMatch(await servedNames(host), /example\.com/);
    await configure(7, [], "2s");
    for (const name of [host, "www.example.com"])
      await eventually(async () => assert.match(await servedNames(name), /DNS:shop\.example\.com/));
    const event = { namespace: "default", name: "short" };
    await client.create(resources.events, {
      apiVersion: "v1",
      kind: "Event",
      metadata: event,
      involvedObject: { kind: "Pod", namespace: "default", name: "p" },
    });
    await eventually(async () => assert.equal(await client.find(resources.events, event), undefined));
    await configure(8, ["www.example.com"], "3h");
    await eventually(async () => assert.doesNotMatch(await servedNames(host), /example\.com/));
    assert.match(await servedNames("www.example.com"), /DNS:shop\.example\.com/);
  });
});

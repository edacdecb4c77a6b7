import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createCertificateAuthority, createLogger, issueCertificate, Metrics } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { apiServers } from "@keelson/controller/testing";
import { shippedCatalogues } from "@keelson/samples-operator";
import { startSamplesOperator } from "./samples-operator.ts";

const config = "/var/run/configmaps/samples-operator-config/config.yaml";

test("acceptance 25: metrics are served as the configuration says, whose change ends the operator", async () => {
  await using stack = new AsyncDisposableStack();
  const root = stack.use(mkdtempDisposableSync(join(tmpdir(), "keelson-samples-operator-"))).path;
  const server = stack.use(await (apiServers[0]?.start() ?? Promise.reject(new Error("no API server"))));
  const authority = await createCertificateAuthority("test", 1);
  const pair = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write("/etc/secrets/tls.crt", pair.certificatePem);
  write("/etc/secrets/tls.key", pair.privateKeyPem);
  write(config, 'servingInfo: { bindAddress: "127.0.0.1:0", minTLSVersion: VersionTLS13 }\n');
  write("kubeconfig", server.kubeconfig);

  const urls: string[] = [];
  const destination = {
    write: (line: string) => void urls.push(...(line.match(/https:\/\/localhost:\d+\/metrics/g) ?? [])),
  };
  const stop = new AbortController();
  stack.defer(() => stop.abort("draining"));
  const running = startSamplesOperator({
    kubeconfig: join(root, "kubeconfig"),
    serviceAccount: "",
    environment: { KEELSON_ROOT: root },
    namespace: "openshift-cluster-samples-operator",
    release: "4.19.1",
    content: shippedCatalogues,
    registryCheck: false,
    host: "127.0.0.1",
    healthPort: 0,
    config,
    rereadMs: 20,
    metrics: new Metrics(),
    logger: createLogger({ level: "info", destination }),
    signal: stop.signal,
  });
  const url = await eventually(() => urls[0] ?? assert.fail("not started"));
  const outgoing = request(url, {
    ca: authority.certificatePem,
    agent: false,
    host: "127.0.0.1",
    servername: "localhost",
  });
  const [response] = await once(outgoing.end(), "response");
  assert.equal(response.statusCode, 200);
  assert.equal(response.socket.getProtocol(), "TLSv1.3");
  response.resume();
  write(config, 'servingInfo: { bindAddress: "127.0.0.1:0" }\n');
  await running;
});

test("a configuration that cannot be read, or is wrong, is named", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-samples-operator-"));
  const start = (file: string) =>
    startSamplesOperator({
      serviceAccount: "",
      environment: {},
      namespace: "openshift-cluster-samples-operator",
      release: "4.19.1",
      content: shippedCatalogues,
      registryCheck: false,
      host: "127.0.0.1",
      healthPort: 0,
      config: join(directory.path, file),
      metrics: new Metrics(),
      logger: createLogger({ level: "silent" }),
      signal: new AbortController().signal,
    });
  await assert.rejects(start("absent.yaml"), /--config .*absent\.yaml cannot be read/);
  writeFileSync(join(directory.path, "wrong.yaml"), "servingInfo: { cipherSuites: [x] }");
  await assert.rejects(start("wrong.yaml"), /wrong\.yaml: servingInfo\.cipherSuites: unknown 'x'/);
});

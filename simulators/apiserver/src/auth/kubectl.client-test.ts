/** Tests authentication and tokens with each installed kubectl. Since version 1.32, kubectl sends protocol buffers. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { installedKubectls } from "../testing/index.ts";
import { TestServer } from "../testing/test-server.ts";

const binaries = installedKubectls().map(({ path }) => path);
const directory = mkdtempSync(join(tmpdir(), "kubectl-auth-"));
const environment = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") };
let server: TestServer;

before(async () => {
  server = await TestServer.start();
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const { authority, admin, cluster } = server;
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "c",
        cluster: { server: cluster.url, "certificate-authority-data": base64(authority.certificatePem) },
      },
    ],
    users: [
      {
        name: "u",
        user: {
          "client-certificate-data": base64(admin.certificatePem),
          "client-key-data": base64(admin.privateKeyPem),
        },
      },
      { name: "nobody", user: {} },
    ],
    contexts: [
      { name: "x", context: { cluster: "c", user: "u" } },
      { name: "anonymous", context: { cluster: "c", user: "nobody" } },
    ],
    "current-context": "x",
  };
  writeFileSync(environment.KUBECONFIG, JSON.stringify(config));
});
after(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs kubectl. `command` is split at spaces. `input` is kubectl's standard input. */
function run(binary: string, command: string, input?: object): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const child = execFile(
    binary,
    command.split(" "),
    { env: environment, timeout: 900_000 },
    (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === "number" ? error.code : error ? -1 : 0,
        output: stdout + stderr,
      });
    },
  );
  child.stdin?.end(input ? JSON.stringify(input) : "");
  return promise;
}

function minorOf(binary: string): number {
  const text = execFileSync(binary, ["version", "--client", "-o", "json"], {
    env: environment,
    encoding: "utf8",
  });
  return Number(/"minor": "(\d+)/.exec(text)?.[1]);
}

for (const [at, binary] of binaries.entries()) {
  const minor = minorOf(binary);
  const robot = `robot${at}`;
  const expect = async (command: string, output: RegExp, code = 0, input?: object) => {
    const result = await run(binary, command, input);
    assert.match(result.output, output, command);
    assert.equal(result.code, code, `${command}: ${result.output}`);
    return result.output;
  };

  describe(`kubectl 1.${minor}`, { timeout: 900_000 }, () => {
    test("binds roles, checks permissions and impersonates", async () => {
      await expect(`create serviceaccount ${robot}`, /created/);
      const user = `system:serviceaccount:default:${robot}`;
      for (const role of ["view", "edit", "admin"]) {
        const subject = `--serviceaccount=default:${robot}`;
        await expect(`create rolebinding ${robot}-${role} --clusterrole=${role} ${subject}`, /created/);
        await expect(`delete rolebinding ${robot}-${role}`, /deleted/);
      }
      await expect(`create role ${robot} --verb=get,list --resource=pods,configmaps`, /created/);
      await expect(
        `create rolebinding ${robot} --role=${robot} --serviceaccount=default:${robot}`,
        /created/,
      );
      await expect(`auth can-i list pods --as=${user}`, /^yes/);
      await expect(`auth can-i delete pods --as=${user}`, /^no/, 1);
      await expect(`auth can-i get /healthz --as=${user}`, /^yes/);
      await expect(`auth can-i --list --as=${user}`, /pods +\[\] +\[\] +\[get list\]/);
      await expect("auth can-i * *", /^yes/);
      await expect(`get pods --as=${user}`, /No resources found/);
      await expect(
        `get secrets --as=${user}`,
        /Error from server \(Forbidden\): secrets is forbidden: User ".*" cannot list resource "secrets"/,
        1,
      );
      await expect("get nodes --as=bob --as-group=system:masters", /No resources found/);
      await expect("auth reconcile -f -", /reconciled/, 0, {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "Role",
        metadata: { name: robot, namespace: "default" },
        rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] }],
      });
    });

    test("reports its user", { skip: minor < 28 }, async () => {
      await expect("auth whoami", /Username +system:admin/);
      await expect("auth whoami --as=bob --as-group=builders", /Groups +\[builders system:authenticated\]/);
    });

    test("creates tokens that authenticate", { skip: minor < 24 }, async () => {
      const token = (await expect(`create token ${robot} --duration=10m`, /^eyJ/)).trim();
      await expect(`--token=${token} --context=anonymous get pods`, /No resources found/);
      await expect(`--token=${token}x --context=anonymous get pods`, /Unauthorized/, 1);
      await expect(
        `create token ${robot} --duration=1m`,
        /may not specify a duration less than 10 minutes/,
        1,
      );
      await expect(`create configmap holder${at}`, /created/);
      await expect(`create secret generic holder${at}`, /created/);
      await expect(
        `create token ${robot} --bound-object-kind=Secret --bound-object-name=holder${at}`,
        /^eyJ/,
      );
    });

    test("gets certificates approved and denied", async () => {
      const args = ["req", "-new", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
      const pem = execFileSync(
        "openssl",
        [...args, "-keyout", join(directory, "key.pem"), "-subj", "/CN=jane"],
        {
          stdio: ["ignore", "pipe", "ignore"],
        },
      );
      const request = (name: string) => ({
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name },
        spec: {
          request: pem.toString("base64"),
          signerName: "kubernetes.io/kube-apiserver-client",
          usages: ["client auth"],
        },
      });
      await expect("create -f -", /created/, 0, request(`jane${at}`));
      await expect("create -f -", /created/, 0, request(`joe${at}`));
      await expect(`get csr jane${at}`, /system:admin .*Pending/);
      await expect(`certificate approve jane${at}`, /approved/);
      await expect(`certificate deny joe${at}`, /denied/);
      await expect(`get csr joe${at}`, /Denied/);
      await expect(`wait --for=condition=Approved csr/jane${at}`, /condition met/);
      await expect(`get csr jane${at} -o jsonpath={.status.certificate}`, /^LS0tLS1CRUdJTi/);
    });
  });
}

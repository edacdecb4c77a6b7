import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { resources } from "@keelson/kube";
import { localCertificates, location } from "@keelson/sim-azure/testing";
import {
  condition,
  putMachineSet,
  putMaster,
  startTestSubscription,
  subnetId,
  subscriptionSpec,
  type TestCluster,
  type TestSubscription,
  testServers,
} from "../../testing/index.ts";
import { servicePrincipalChecker } from "./controller.ts";

const kinds = [resources.machines, resources.machineSets];
const serviceOperatorRole = "4436bae4-7702-4c84-919b-c4069ff25ee2";
const subject = "system:serviceaccount:openshift-azure-operator:aro-operator-master";
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Starts the cluster's issuer of service account tokens. Azure reads its public keys. */
async function startIssuer() {
  const { tls } = await localCertificates();
  const server = createServer({ cert: tls.certificatePem, key: tls.privateKeyPem }, ({ url }, response) =>
    response.end(
      JSON.stringify(
        url === "/keys"
          ? { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] }
          : { issuer, jwks_uri: `${issuer}/keys` },
      ),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `https://localhost:${typeof address === "object" ? address?.port : 0}`;
  return {
    issuer,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function tokenOf(issuer: string, sub: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub, aud: ["openshift"], iat: now, nbf: now - 60, exp: now + 3_600 };
  const signed = `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

for (const { name, start } of testServers) {
  describe(`the workload identity on ${name}`, () => {
    let cluster: TestCluster;
    let subscription: TestSubscription;
    let issuer: Awaited<ReturnType<typeof startIssuer>>;
    let directory: string;
    let tokenFile: string;
    const assignments: string[] = [];
    const recheck = () =>
      cluster.put(resources.secrets, {
        metadata: { namespace: "kube-system", name: "azure-credentials", labels: { at: `${Date.now()}` } },
      });
    const both = (status: string, reasonSuffix: string, message: RegExp) =>
      cluster.eventually(async () => {
        for (const [type, who] of [
          ["ServicePrincipalValid", "Service Principal"],
          ["WorkloadIdentityValid", "Workload Identity"],
        ] as const) {
          const found = await condition(cluster, type);
          assert.equal(found.status, status);
          assert.equal(found.reason, reasonSuffix.replace("{who}", who));
          assert.match(found.message.replace(who, "{who}"), message);
        }
      });
    before(async () => {
      subscription = await startTestSubscription();
      issuer = await startIssuer();
      directory = await mkdtemp(join(tmpdir(), "aro-operator-"));
      tokenFile = join(directory, "token");
      await writeFile(tokenFile, `${tokenOf(issuer.issuer, subject)}\n`);
      const { azure } = subscription;
      const { userAssignedIdentities, federatedIdentityCredentials } = azure.clients.identities;
      const identity = await userAssignedIdentities.createOrUpdate("customer", "aro-operator", { location });
      await federatedIdentityCredentials.createOrUpdate("customer", "aro-operator", "operator", {
        issuer: issuer.issuer,
        subject,
        audiences: ["openshift"],
      });
      for (const subnet of ["master", "worker"]) {
        const scope = subnetId(subnet);
        assignments.push(
          await azure.assign(identity.principalId ?? "", { role: serviceOperatorRole, scope }),
        );
      }
      const { AZURE_CLIENT_SECRET: _, ...environment } = subscription.environment;
      cluster = await start({ kinds, spec: subscriptionSpec });
      await putMachineSet(cluster, "workers", "worker");
      await putMaster(cluster, "master-0", "master");
      await cluster.start({
        controllers: [servicePrincipalChecker],
        environment: {
          ...environment,
          AZURE_CLIENT_ID: identity.clientId ?? "",
          AZURE_FEDERATED_TOKEN_FILE: tokenFile,
          AZURE_TOKEN_CREDENTIALS: "WorkloadIdentityCredential",
        },
      });
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      issuer.stop();
      await subscription[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    });

    test("acceptance 1: is valid with the rights of its role and has a separate condition", () =>
      both("True", "Validation Successful", /^\{who\} is valid$/));

    test("its token is read again from the file, which the kubelet replaces", async () => {
      await writeFile(tokenFile, tokenOf(issuer.issuer, "system:serviceaccount:default:default"));
      await recheck();
      await both("False", "{who} invalid", /^AADSTS700213: /);
      await writeFile(tokenFile, tokenOf(issuer.issuer, subject));
      await recheck();
      await both("True", "Validation Successful", /^\{who\} is valid$/);
    });

    test("without its role on a subnet it is invalid", async () => {
      await subscription.azure.arm("DELETE", `${assignments[1]}?api-version=2022-04-01`);
      await recheck();
      await both(
        "False",
        "{who} invalid",
        /^The aro-operator platform managed identity does not have required permissions on subnet '.*\/worker'\./,
      );
    });
  });
}

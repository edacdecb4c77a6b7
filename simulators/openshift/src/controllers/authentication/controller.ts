import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { issueCertificate, type KeyPair, objectAt, stringAt } from "@keelson/base";
import { type Controller, done, type Result, watch } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { oauthMetadata } from "../../apis/oauth/oauth-server.ts";
import { configMap, secret } from "../../base/data-objects.ts";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { ensureAuthorities } from "../../settings/authorities.ts";
import { isOwnedByOthers } from "../cluster-operators/ownership.ts";

const metadataName = "oauth-openshift";
const webhookName = "webhook-authentication-integrated-oauth";
const clientDays = 730;

/**
 * Simulates the parts of the authentication operator that the API server's operator needs: OAuth metadata and the token webhook.
 * These objects exist only on clusters with the integrated OAuth server.
 */
export const authentication: Controller<Cluster> = {
  name: "authentication",
  watches: [watch(resources.authentications)],
  reconcile: reconcileAuthentication,
};

async function reconcileAuthentication({ name }: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client, logical } = cluster;
  const found = await client.find(resources.authentications, { name });
  if (!found || name !== "cluster" || !isIntegrated(found)) return done;
  if (await isOwnedByOthers(cluster, "authentication")) return done;
  const metadata = JSON.stringify(oauthMetadata(logical.url), null, 2);
  await ensureObject(
    client,
    resources.configMaps,
    configMap("openshift-config-managed", metadataName, { oauthMetadata: metadata }),
  );
  await ensureWebhook(client);
  if (stringAt(found, "spec", "webhookTokenAuthenticator", "kubeConfig", "name") === undefined)
    await client.mergePatch(
      resources.authentications,
      { name },
      { spec: { webhookTokenAuthenticator: { kubeConfig: { name: webhookName } } } },
    );
  if (stringAt(found, "status", "integratedOAuthMetadata", "name") !== metadataName)
    await client.mergePatch(
      resources.authentications,
      { name },
      { status: { ...objectAt(found, "status"), integratedOAuthMetadata: { name: metadataName } } },
      "status",
    );
  return done;
}

function isIntegrated(authentication: KubeObject): boolean {
  const type = stringAt(authentication, "spec", "type") ?? "";
  return type === "" || type === "IntegratedOAuth";
}

async function ensureWebhook(client: ClusterClient): Promise<void> {
  const key = { namespace: "openshift-config", name: webhookName };
  if (await client.find(resources.secrets, key)) return;
  const { controlPlane } = await ensureAuthorities(client);
  const pair = await issueCertificate(controlPlane, {
    commonName: "system:openshift:oauth-webhook",
    usage: "client",
    validDays: clientDays,
  });
  const kubeConfig = JSON.stringify(webhookKubeconfig(pair), null, 2);
  await ensureObject(client, resources.secrets, secret(key.namespace, key.name, { kubeConfig }));
}

/** Returns a kubeconfig with inline data and one cluster, user and context. The API server's operator accepts only this form. */
function webhookKubeconfig({ certificatePem, privateKeyPem }: KeyPair): object {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "local-cluster",
        cluster: {
          server: "https://api.openshift-oauth-apiserver.svc/apis/oauth.openshift.io/v1/tokenreviews",
        },
      },
    ],
    users: [
      {
        name: "openshift-authenticator",
        user: {
          "client-certificate-data": base64(certificatePem),
          "client-key-data": base64(privateKeyPem),
        },
      },
    ],
    contexts: [
      { name: "local-context", context: { cluster: "local-cluster", user: "openshift-authenticator" } },
    ],
    "current-context": "local-context",
  };
}

import { operatorNamespace } from "@keelson/aro-api";
import { type KubeObject, resources } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";
import type { IssuedCertificate } from "../context/environment.ts";
import { domainOf } from "../network/dns.ts";

interface ServingCertificate {
  /** Name of the certificate at its issuer, and of its Secrets in the cluster. */
  readonly name: string;
  readonly dnsName: string;
  /** Namespace of the operator that reads the Secret. */
  readonly namespace: string;
}

/** Requests the certificates early, because their issuance takes time. Does nothing if the customer uses a custom domain. */
export async function createCertificates(context: ClusterContext): Promise<void> {
  if (!isManaged(context)) return;
  await Promise.all(
    [apiServerCertificate(context), ingressCertificate(context)].map((each) => issue(context, each)),
  );
}

/** Deletes the cluster's certificates in the certificate store. */
export async function deleteCertificates(context: ClusterContext): Promise<void> {
  if (!isManaged(context)) return;
  const { certificateIssuer } = context.environment;
  for (const { name } of [apiServerCertificate(context), ingressCertificate(context)]) {
    await certificateIssuer.forget(name, context.signal);
  }
}

/** Configures the API server to use the certificate that the service issued. */
export async function configureAPIServerCertificate(context: ClusterContext): Promise<void> {
  if (!isManaged(context)) return;
  const certificate = apiServerCertificate(context);
  await ensureSecrets(context, certificate);
  const names = [certificate.dnsName];
  await context.kube().ensure(
    resources.apiServers,
    {
      apiVersion: "config.openshift.io/v1",
      kind: "APIServer",
      metadata: { name: "cluster" },
      spec: {
        servingCerts: { namedCertificates: [{ names, servingCertificate: { name: certificate.name } }] },
      },
    },
    context.signal,
  );
}

/** Configures the router to use the certificate that the service issued. */
export async function configureIngressCertificate(context: ClusterContext): Promise<void> {
  if (!isManaged(context)) return;
  const certificate = ingressCertificate(context);
  await ensureSecrets(context, certificate);
  await context.kube().ensure(
    resources.ingressControllers,
    {
      apiVersion: "operator.openshift.io/v1",
      kind: "IngressController",
      metadata: { name: "default", namespace: "openshift-ingress-operator" },
      spec: { defaultCertificate: { name: certificate.name } },
    },
    context.signal,
  );
}

function apiServerCertificate(context: ClusterContext): ServingCertificate {
  const name = `${context.documentId}-apiserver`;
  return { name, dnsName: `api.${domainOf(context).fullName}`, namespace: "openshift-config" };
}

function ingressCertificate(context: ClusterContext): ServingCertificate {
  const name = `${context.documentId}-ingress`;
  return { name, dnsName: `*.apps.${domainOf(context).fullName}`, namespace: "openshift-ingress" };
}

function isManaged(context: ClusterContext): boolean {
  return domainOf(context).managedPrefix !== undefined;
}

function issue(
  { environment, signal }: ClusterContext,
  { name, dnsName }: ServingCertificate,
): Promise<IssuedCertificate> {
  return environment.certificateIssuer.issue(name, [dnsName], signal);
}

async function ensureSecrets(context: ClusterContext, certificate: ServingCertificate): Promise<void> {
  const { certificatePem, privateKeyPem } = await issue(context, certificate);
  for (const namespace of [certificate.namespace, operatorNamespace]) {
    const secret: KubeObject = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: certificate.name, namespace },
      type: "kubernetes.io/tls",
      stringData: { "tls.crt": certificatePem, "tls.key": privateKeyPem },
    };
    await context.kube().ensure(resources.secrets, secret, context.signal);
  }
}

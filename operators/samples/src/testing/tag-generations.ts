import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCertificateAuthority,
  issueCertificate,
  listAt,
  Metrics,
  objectAt,
  silentLogger,
  stringAt,
  systemClock,
  valueAt,
} from "@keelson/base";
import { type AdmissionHandler, serveWebhooks } from "@keelson/controller";
import type { KubeClient, KubeObject, KubeResource } from "@keelson/kube";
import { imageStreams } from "../resources/resources.ts";

const configurations: KubeResource = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
  namespaced: false,
};

/** Path and name of the webhook. */
const name = "tag-generations";

/**
 * Assigns the `generation` of tags, as openshift-apiserver does. A new tag, or a tag with a changed source, gets the stream's
 * generation. All remaining tags keep their generation. A client can only set 0, which requests a new import. The tests use a
 * webhook for this, because their ImageStreams are a CRD.
 */
export async function serveTagGenerations(api: KubeClient, signal: AbortSignal): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), "tag-generations-")));
  const authority = await createCertificateAuthority("authority", 1);
  const { certificatePem, privateKeyPem } = await issueCertificate(authority, {
    commonName: name,
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  const [certificateFile, keyFile] = [join(directory.path, "tls.crt"), join(directory.path, "tls.key")];
  await Promise.all([writeFile(certificateFile, certificatePem), writeFile(keyFile, privateKeyPem)]);
  const { port } = stack.use(
    await serveWebhooks({
      host: "127.0.0.1",
      port: 0,
      certificateFile,
      keyFile,
      handlers: { [`/${name}`]: assignGenerations },
      metrics: new Metrics(),
      clock: systemClock,
      logger: silentLogger,
    }),
  );
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: configurations.kind,
    metadata: { name },
    webhooks: [
      {
        name: `${name}.test.io`,
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: {
          url: `https://127.0.0.1:${port}/${name}`,
          caBundle: Buffer.from(authority.certificatePem).toString("base64"),
        },
        rules: [
          {
            apiGroups: [imageStreams.group],
            apiVersions: [imageStreams.version],
            operations: ["CREATE", "UPDATE"],
            resources: [imageStreams.plural],
          },
        ],
      },
    ],
  };
  await api.ensure(configurations, configuration, signal);
  return stack.move();
}

const assignGenerations: AdmissionHandler = async ({ object, oldObject }) => {
  const tags = listAt(object, "spec", "tags");
  const value = tags.map((tag) => ({ ...objectAt(tag), generation: generationOf(tag, oldObject) }));
  return {
    allowed: true,
    ...(tags.length === 0 ? {} : { patch: [{ op: "replace", path: "/spec/tags", value }] }),
  };
};

function generationOf(tag: unknown, before: KubeObject | undefined): number {
  const next = (before?.metadata.generation ?? 0) + 1;
  const old = listAt(before, "spec", "tags").find((each) => stringAt(each, "name") === stringAt(tag, "name"));
  const isChanged =
    stringAt(old, "from", "name") !== stringAt(tag, "from", "name") ||
    (valueAt(old, "reference") ?? false) !== (valueAt(tag, "reference") ?? false);
  if (old === undefined || isChanged || valueAt(tag, "generation") === 0) return next;
  return Number(valueAt(old, "generation") ?? next);
}

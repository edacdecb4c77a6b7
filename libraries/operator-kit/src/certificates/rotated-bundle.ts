import type { X509Certificate } from "node:crypto";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { bundleWith } from "./ca-bundle.ts";
import { annotations, missingAnnotations, typeLabel } from "./certificate-annotations.ts";
import { readCertificates } from "./certificate-chain.ts";
import type { CertificateRotation } from "./certificate-rotation.ts";
import type { RotationDeps } from "./rotation-deps.ts";

const { configMaps } = resources;
const member = "ca-bundle.crt";

/** Adds the signer to a rotation's bundle. Returns the CA certificates of the bundle. */
export async function ensureBundle(
  { bundle, target, component }: CertificateRotation,
  signer: X509Certificate,
  { api, clock, find, policy, report, signal }: RotationDeps,
): Promise<readonly X509Certificate[]> {
  const { name, namespace } = bundle;
  const live = await find(configMaps, { namespace, name });
  const before = stringAt(live, "data", member) ?? "";
  const text = bundleWith(signer, before, clock.now());
  const owned = { [annotations.component]: component, [annotations.description]: bundle.description };
  const isGood = live !== undefined && before === text;
  if (!isGood) {
    const because = before === "" ? "configmap is empty" : `signer update ${target.namespace}/${target.name}`;
    const message = `${JSON.stringify(name)} in ${JSON.stringify(namespace)} requires a new cert: ${live ? because : "configmap doesn't exist"}`;
    report({ type: "Normal", reason: "CABundleUpdateRequired", message });
  }
  const missing = live && !policy.onlyExpired ? missingAnnotations(live, owned) : undefined;
  if (!live) {
    const metadata = { namespace, name, labels: { [typeLabel]: "ca-bundle" }, annotations: owned };
    const data = { [member]: text };
    await api.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata, data }, signal);
  } else if (!isGood || missing) {
    const { resourceVersion } = live.metadata;
    const metadata = { resourceVersion, labels: { [typeLabel]: "ca-bundle" }, annotations: owned };
    await api.mergePatch(
      configMaps,
      { namespace, name },
      { metadata, ...(isGood ? {} : { data: { [member]: text } }) },
      signal,
    );
  }
  return readCertificates(text);
}

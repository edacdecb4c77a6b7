import { randomInt } from "node:crypto";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";

const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const prefix = "kube-api-access-";
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * Returns a pod's spec with the token volume of its account. Mounts the volume in each container that has no mount at the same
 * path.
 */
export function withTokenVolume(spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const volumes = listAt(spec, "volumes");
  const known = volumes.map((each) => scalarStringAt(each, "name")).find((name) => name.startsWith(prefix));
  const volume = known ?? generatedName();
  let needed = false;
  const mount = (container: unknown): unknown => {
    const mounts = listAt(container, "volumeMounts");
    if (mounts.some((each) => scalarStringAt(each, "mountPath") === mountPath)) return container;
    needed = true;
    return { ...objectAt(container), volumeMounts: [...mounts, { name: volume, readOnly: true, mountPath }] };
  };
  const mounted = Object.fromEntries(
    ["initContainers", "containers"].flatMap((member) =>
      Array.isArray(spec[member]) ? [[member, listAt(spec, member).map(mount)]] : [],
    ),
  );
  if (!needed) return spec;
  return { ...spec, ...mounted, ...(known ? {} : { volumes: [...volumes, tokenVolume(volume)] }) };
}

function tokenVolume(name: string): Readonly<Record<string, unknown>> {
  const namespace = { path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } };
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3_607, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        { downwardAPI: { items: [namespace] } },
      ],
      defaultMode: 420,
    },
  };
}

function generatedName(): string {
  const suffix = Array.from({ length: 5 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join("");
  return prefix + suffix;
}

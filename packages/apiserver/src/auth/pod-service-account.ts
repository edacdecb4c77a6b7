import { randomInt } from "node:crypto";
import { arrayAt, recordAt, textAt, valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import type { AdmissionRequest } from "../registry/admission.ts";
import { failures } from "../status/status-error.ts";
import type { RevisionStore } from "../storage/revision-store.ts";

const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const mirror = "kubernetes.io/config.mirror";
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const pods = { group: "", resource: "pods" };

/** Whether a request makes a pod that runs for a service account. The kubelet's mirrors of its own pods do not. */
export function concernsServiceAccount({
  operation,
  resource,
  subresource,
  object,
}: AdmissionRequest): boolean {
  if (operation !== "CREATE" || subresource !== "" || resource.bucket !== "/pods") return false;
  return object?.metadata.annotations?.[mirror] === undefined;
}

/**
 * A new pod with its service account: `default` when it names none, the account's pull secrets when it has none, and
 * in each container the volume with its token.
 * @throws StatusError 403 when the account is not there
 */
export function withServiceAccount(store: RevisionStore, pod: KubeObject): KubeObject {
  const spec = recordAt(pod, "spec");
  const name = textAt(spec, "serviceAccountName") || textAt(spec, "serviceAccount") || "default";
  const { namespace = "" } = pod.metadata;
  const account = store.get("/serviceaccounts", `${namespace}/${name}`)?.object;
  // A controller gives every namespace its `default`: who comes before it need not come again.
  if (!account && name !== "default") {
    const why = `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
    throw failures.forbidden(pods, pod.metadata.name, why);
  }
  const pullSecrets = arrayAt(spec, "imagePullSecrets");
  const inherited = pullSecrets.length > 0 ? pullSecrets : arrayAt(account, "imagePullSecrets");
  const named = {
    ...spec,
    serviceAccountName: name,
    serviceAccount: name,
    ...(inherited.length > 0 ? { imagePullSecrets: inherited } : {}),
  };
  const mounts =
    valueAt(spec, "automountServiceAccountToken") ?? valueAt(account, "automountServiceAccountToken") ?? true;
  return { ...pod, spec: mounts === true ? withToken(named) : named };
}

function withToken(spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const volumes = arrayAt(spec, "volumes");
  const volume = freeName(volumes);
  const mounted = Object.fromEntries(
    ["initContainers", "containers"].flatMap((member) =>
      Array.isArray(spec[member]) ? [[member, arrayAt(spec, member).map((each) => mount(each, volume))]] : [],
    ),
  );
  const used = Object.values(mounted)
    .flat()
    .some((each) => arrayAt(each, "volumeMounts").some((one) => textAt(one, "name") === volume));
  return used ? { ...spec, ...mounted, volumes: [...volumes, tokenVolume(volume)] } : spec;
}

/** A container that mounts something else there keeps it. */
function mount(container: unknown, volume: string): unknown {
  const mounts = arrayAt(container, "volumeMounts");
  if (mounts.some((each) => textAt(each, "mountPath") === mountPath)) return container;
  return { ...recordAt(container), volumeMounts: [...mounts, { name: volume, readOnly: true, mountPath }] };
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

function freeName(volumes: readonly unknown[]): string {
  const taken = new Set(volumes.map((each) => textAt(each, "name")));
  for (;;) {
    const suffix = Array.from({ length: 5 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join("");
    const name = `kube-api-access-${suffix}`;
    if (!taken.has(name)) return name;
  }
}

import type { JsonObject } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { type EncryptionState, writeEncryptionData } from "../encryption/encryption-config.ts";
import type { EncryptionKey } from "../encryption/encryption-key.ts";
import { fieldVariable } from "../objects/field-variable.ts";
import { ensureData } from "../objects/managed-data.ts";
import type { ManagedObjects, WantedObject } from "../objects/managed-objects.ts";
import { type PluginKey, pluginSockets, withKmsPlugins } from "./plugin-containers.ts";
import { hashAnnotation } from "./preflight-plan.ts";

export interface PreflightPodOptions {
  readonly namespace: string;
  readonly image: string;
  /** Command that starts the preflight program. The controller appends the program's arguments. */
  readonly command: readonly string[];
}

const name = "kms-preflight";
const container = "kms-preflight-check";
const secretName = "kms-preflight-encryption-config";
const labels = { app: "openshift-kms-preflight" };
const callTimeout = "10s";

export function preflightKeys(namespace: string) {
  return { pod: { namespace, name }, secret: { namespace, name: secretName } };
}

/**
 * Creates the preflight pod for these keys, with its service account and Secret. The pod tests the first key's plugin completely.
 */
export async function deployPreflight(
  options: PreflightPodOptions,
  hash: string,
  keys: readonly EncryptionKey[],
  objects: ManagedObjects,
): Promise<void> {
  const { namespace } = options;
  // The preflight pod needs only the keys that use a plugin.
  const state: EncryptionState = new Map([["secrets", { writeKey: undefined, readKeys: keys }]]);
  const secret = { metadata: { namespace, name: secretName, labels }, type: "Opaque" };
  await ensureData(objects, resources.secrets, { ...secret, data: writeEncryptionData(state) });
  for (const { resource, object } of account(namespace)) await objects.ensure(resource, object);
  const plugins = keys.flatMap(({ id, kms }) => (kms ? [{ id, kms }] : []));
  await objects.create(resources.pods, preflightPod(options, hash, plugins) as WantedObject & JsonObject);
}

/** Deletes the objects that `deployPreflight` created, except the service account. */
export async function removePreflight(namespace: string, objects: ManagedObjects): Promise<void> {
  const { pod, secret } = preflightKeys(namespace);
  await objects.remove(resources.pods, pod);
  // The Secret is deleted last, because its existence marks an incomplete cleanup.
  await objects.remove(resources.secrets, secret);
}

/** Returns the preflight pod. It uses the host network, like the API servers that will use the plugins. */
function preflightPod(
  { namespace, image, command }: PreflightPodOptions,
  hash: string,
  keys: readonly PluginKey[],
): JsonObject {
  const master = "node-role.kubernetes.io/master";
  const pod: JsonObject = {
    metadata: { namespace, name, labels, annotations: { [hashAnnotation]: hash } },
    spec: {
      restartPolicy: "Never",
      serviceAccountName: name,
      priorityClassName: "system-cluster-critical",
      nodeSelector: { [master]: "" },
      tolerations: ["NoSchedule", "NoExecute"].map((effect) => ({
        key: master,
        operator: "Exists",
        effect,
      })),
      hostNetwork: true,
      containers: [
        {
          name: container,
          image,
          command: [...command],
          args: [
            `--kms-call-timeout=${callTimeout}`,
            "--config-hash=$(CONFIG_HASH)",
            "--pod-name=$(POD_NAME)",
            "--pod-namespace=$(POD_NAMESPACE)",
            `--kms-sockets=${pluginSockets(keys)}`,
          ],
          env: [
            fieldVariable("POD_NAME", "metadata.name"),
            fieldVariable("POD_NAMESPACE", "metadata.namespace"),
            { name: "CONFIG_HASH", value: hash },
          ],
          resources: { requests: { memory: "50Mi", cpu: "5m" } },
          terminationMessagePolicy: "FallbackToLogsOnError",
        },
      ],
    },
  };
  return withKmsPlugins(pod, container, keys, { kind: "pod", secretName });
}

/** Returns a service account and its permissions. The account may only update the status of the preflight pod. */
function account(namespace: string): readonly {
  readonly resource: (typeof resources)["serviceAccounts" | "roles" | "roleBindings"];
  readonly object: WantedObject & Partial<KubeObject>;
}[] {
  const metadata = { namespace, name, labels };
  const group = "rbac.authorization.k8s.io";
  const rule = (resource: string, verbs: readonly string[]) => ({
    apiGroups: [""],
    resources: [resource],
    resourceNames: [name],
    verbs,
  });
  return [
    { resource: resources.serviceAccounts, object: { metadata } },
    {
      resource: resources.roles,
      object: { metadata, rules: [rule("pods", ["get"]), rule("pods/status", ["patch", "update"])] },
    },
    {
      resource: resources.roleBindings,
      object: {
        metadata,
        roleRef: { apiGroup: group, kind: "Role", name },
        subjects: [{ kind: "ServiceAccount", name, namespace }],
      },
    },
  ];
}

import { type JsonObject, listAt, objectAt, stringAt } from "@keelson/base";
import {
  configMember,
  type EncryptionData,
  readEncryptionData,
  readKeysOf,
} from "../encryption/encryption-config.ts";
import { type KmsKey, referenceFile } from "../encryption/kms-key.ts";
import { parseKmsPlugin } from "../encryption/kms-plugin.ts";
import { fieldVariable } from "../objects/field-variable.ts";

/** Place in which plugins run, with the location of their files. A static pod also has a health reporter. */
export type PluginPlace =
  | {
      readonly kind: "staticPod";
      /** Directory and volume that contain the files of the revision. `secretName` is the name of the Secret's directory. */
      readonly dir: string;
      readonly volume: string;
      readonly secretName: string;
      readonly reporter: HealthReporter;
    }
  | { readonly kind: "pod"; readonly secretName: string };

interface HealthReporter {
  readonly image: string;
  readonly command: readonly string[];
  /** Path of the kubeconfig that the health reporter uses. */
  readonly kubeconfig: string;
}

/** KMS key, together with the plugin that gives access to it. */
export interface PluginKey {
  readonly id: number;
  readonly kms: KmsKey;
}

const socketVolume = "kms-plugin-socket";
const socketDir = "/var/run/kmsplugin";
const dataVolume = "kms-plugins-data";
const dataDir = "/var/run/secrets/kms-plugin";
const reporterName = "kms-health-reporter";
const pluginPrefix = "vault-kms-plugin-";

/**
 * Returns the KMS keys in the API servers' Secret, newest first.
 * @throws Error for an unreadable key
 */
export function pluginKeys(data: EncryptionData): readonly PluginKey[] {
  // Without KMS keys, no plugin runs, and the configuration is not parsed. An invalid configuration then causes an error only in
  // the API servers.
  const text = data[configMember];
  if (typeof text !== "string" || !Buffer.from(text, "base64").includes('"kms"')) return [];
  return readKeysOf(readEncryptionData(data, [])).flatMap(({ id, kms }) => (kms ? [{ id, kms }] : []));
}

/**
 * Returns the pod with exactly the plugins of the given keys. All other plugins are removed. Each plugin is a sidecar that runs
 * as long as the pod's containers. `container` mounts the volume of the plugin's socket.
 * @throws Error for a key with an unknown plugin or a missing reference
 */
export function withKmsPlugins(
  pod: JsonObject,
  container: string,
  keys: readonly PluginKey[],
  place: PluginPlace,
): JsonObject {
  const spec = objectAt(pod.spec);
  const own = (each: unknown) => isPluginContainer(stringAt(each, "name") ?? "");
  const initContainers = [
    ...listAt(spec, "initContainers").filter((each) => !own(each)),
    ...keys.map((key) => pluginContainer(key, place)),
    ...(place.kind === "staticPod" && keys.length > 0 ? [reporterContainer(keys, place)] : []),
  ];
  const volumes = [
    ...listAt(spec, "volumes").filter(
      (each) => ![socketVolume, dataVolume].includes(stringAt(each, "name") ?? ""),
    ),
    ...(keys.length > 0 ? [{ name: socketVolume, emptyDir: {} }] : []),
    ...(keys.length > 0 && place.kind === "pod"
      ? [{ name: dataVolume, secret: { secretName: place.secretName } }]
      : []),
  ];
  const containers = listAt(spec, "containers").map((each) =>
    stringAt(each, "name") === container ? withSocket(each, keys.length > 0) : each,
  );
  const lists = { containers, ...(initContainers.length > 0 ? { initContainers } : {}), volumes };
  return { ...pod, spec: { ...spec, ...lists } } as JsonObject;
}

export function pluginSockets(keys: readonly PluginKey[]): string {
  return keys.map(({ kms }) => String(kms.provider.endpoint)).join(",");
}

function isPluginContainer(name: string): boolean {
  return name === reporterName || name.startsWith(pluginPrefix);
}

function withSocket(container: unknown, wanted: boolean): unknown {
  const mounts = listAt(container, "volumeMounts").filter((each) => stringAt(each, "name") !== socketVolume);
  const mount = { name: socketVolume, mountPath: socketDir };
  const members = objectAt(container);
  const volumeMounts = wanted ? [...mounts, mount] : mounts;
  const { volumeMounts: before, ...others } = members;
  return before === undefined && volumeMounts.length === 0 ? others : { ...others, volumeMounts };
}

const sidecar = {
  imagePullPolicy: "IfNotPresent",
  // A restartable init container starts before the containers and stops after them.
  restartPolicy: "Always",
  terminationMessagePolicy: "FallbackToLogsOnError",
};

const resources = (memory: string) => ({ requests: { memory, cpu: "10m" } });

/** The installer writes files that only root can read. The plugin reads them, so it runs as root. */
function securityContext({ kind }: PluginPlace) {
  return {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
    ...(kind === "staticPod" ? { runAsUser: 0 } : {}),
  };
}

function pluginContainer({ id, kms }: PluginKey, place: PluginPlace) {
  if (!kms.plugin) throw new Error(`missing plugin config for keyID ${id}`);
  const vault = parseKmsPlugin(kms.plugin);
  const isStatic = place.kind === "staticPod";
  const dir = isStatic ? `${place.dir}/secrets/${place.secretName}` : dataDir;
  const need = (kind: "secret" | "configMap", name: string, key: string) => {
    const value = (kind === "secret" ? kms.secrets : kms.configMaps)[`${name}_${key}`];
    if (value === undefined)
      throw new Error(`missing ${key} in ${kind.toLowerCase()} ${name} for keyID ${id}`);
    return { file: `${dir}/${referenceFile(kind, name, key, id)}`, value };
  };
  const optional = (flag: string, value: string) => (value === "" ? [] : [`-${flag}=${value}`]);
  const { roleSecret, caConfigMap } = vault;
  const roleId = Buffer.from(need("secret", roleSecret, "role-id").value, "base64").toString();
  const ca = caConfigMap === "" ? "" : need("configMap", caConfigMap, "ca-bundle.crt").file;
  return {
    name: `${pluginPrefix}${id}`,
    image: vault.image,
    ...sidecar,
    args: [
      `-listen-address=${kms.provider.endpoint}`,
      `-vault-address=${vault.address}`,
      `-vault-key-path=${vault.keyPath}`,
      `-approle-role-id=${roleId}`,
      `-approle-secret-id-path=${need("secret", roleSecret, "secret-id").file}`,
      ...optional("tls-ca-file", ca),
      ...optional("tls-sni", vault.serverName),
      ...optional("vault-namespace", vault.namespace),
      ...optional("vault-auth-namespace", vault.authNamespace),
      // All plugins use the node's network. With a fixed port, only one plugin could start.
      "-metrics-port=0",
    ],
    resources: resources("64Mi"),
    securityContext: securityContext(place),
    volumeMounts: [
      { name: socketVolume, mountPath: socketDir },
      isStatic
        ? { name: place.volume, mountPath: place.dir, readOnly: true }
        : { name: dataVolume, mountPath: dataDir, readOnly: true },
    ],
  };
}

function reporterContainer(keys: readonly PluginKey[], place: Extract<PluginPlace, { kind: "staticPod" }>) {
  const { image, command, kubeconfig } = place.reporter;
  return {
    name: reporterName,
    image,
    ...sidecar,
    command: [...command, reporterName],
    args: [`--kms-sockets=${pluginSockets(keys)}`, "--node-name=$(NODE_NAME)", `--kubeconfig=${kubeconfig}`],
    env: [fieldVariable("NODE_NAME", "spec.nodeName")],
    resources: resources("32Mi"),
    securityContext: securityContext(place),
    volumeMounts: [
      { name: socketVolume, mountPath: socketDir, readOnly: true },
      { name: place.volume, mountPath: place.dir, readOnly: true },
    ],
  };
}

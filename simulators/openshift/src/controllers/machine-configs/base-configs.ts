import { createHash } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { configNames } from "./names.ts";

/** Pools that exist in every cluster. */
export const builtInRoles = ["master", "worker"] as const;

interface FileFacts {
  readonly path: string;
  readonly text: string;
  readonly mode?: number;
}

/** Returns a MachineConfig with the labels and annotations of the operator's generated configs. */
export function generatedConfig(
  name: string,
  role: string,
  releaseVersion: string,
  spec: Readonly<Record<string, unknown>>,
): KubeObject {
  return {
    apiVersion: "machineconfiguration.openshift.io/v1",
    kind: "MachineConfig",
    metadata: {
      name,
      labels: { [configNames.role]: role },
      annotations: {
        [configNames.generatedBy]: controllerHash(releaseVersion),
        [configNames.releaseVersion]: releaseVersion,
      },
    },
    spec,
  };
}

/** Returns the operator's MachineConfigs for a role. */
export function baseConfigs(role: string, releaseVersion: string, sshKey?: string): readonly KubeObject[] {
  const config = (name: string, spec: Readonly<Record<string, unknown>>) =>
    generatedConfig(name, role, releaseVersion, spec);
  const unit = (name: string) => ({ name, enabled: true });
  return [
    config(`00-${role}`, {
      ...ignitionOf(
        [{ path: "/etc/systemd/system.conf.d/10-default-env-godebug.conf", text: "[Manager]\n" }],
        [unit("machine-config-daemon-firstboot.service"), unit("openvswitch.service")],
      ),
      osImageURL: osImageUrl(releaseVersion),
      baseOSExtensionsContainerImage: payloadImage(releaseVersion, "rhel-coreos-extensions"),
    }),
    config(
      `01-${role}-container-runtime`,
      ignitionOf([
        { path: "/etc/crio/crio.conf.d/00-default", text: '[crio.runtime]\ncgroup_manager = "systemd"\n' },
      ]),
    ),
    config(
      `01-${role}-kubelet`,
      ignitionOf(
        [
          { path: "/etc/kubernetes/kubelet.conf", text: "kind: KubeletConfiguration\nmaxPods: 250\n" },
          {
            path: "/etc/node-sizing-enabled.env",
            text: "NODE_SIZING_ENABLED=false\nSYSTEM_RESERVED_MEMORY=1Gi\n",
          },
        ],
        [unit("kubelet.service")],
      ),
    ),
    config(`97-${role}-generated-kubelet`, ignitionOf([])),
    config(`98-${role}-generated-kubelet`, ignitionOf([])),
    config(
      `99-${role}-generated-registries`,
      ignitionOf([
        {
          path: "/etc/containers/registries.conf",
          text: 'unqualified-search-registries = ["registry.access.redhat.com"]\n',
        },
        { path: "/etc/containers/policy.json", text: '{"default":[{"type":"insecureAcceptAnything"}]}\n' },
      ]),
    ),
    config(`99-${role}-ssh`, {
      config: {
        ignition: { version: "3.2.0" },
        passwd: { users: [{ name: "core", ...(sshKey ? { sshAuthorizedKeys: [sshKey] } : {}) }] },
      },
    }),
  ];
}

/** Returns the `spec.config` field of a MachineConfig with files and systemd units. */
export function ignitionOf(
  files: readonly FileFacts[],
  units: readonly { readonly name: string; readonly enabled: boolean }[] = [],
): Record<string, unknown> {
  return {
    config: {
      ignition: { version: "3.2.0" },
      ...(files.length > 0 ? { storage: { files: files.map(fileOf) } } : {}),
      ...(units.length > 0 ? { systemd: { units } } : {}),
    },
  };
}

function fileOf({ path, text, mode = 0o644 }: FileFacts): Record<string, unknown> {
  const source = `data:text/plain;charset=utf-8;base64,${Buffer.from(text).toString("base64")}`;
  return { path, mode, overwrite: true, contents: { source } };
}

/** Returns the operating system image of a release. */
export function osImageUrl(releaseVersion: string): string {
  return payloadImage(releaseVersion, "rhel-coreos");
}

function payloadImage(releaseVersion: string, component: string): string {
  const digest = createHash("sha256").update(`${component} ${releaseVersion}`).digest("hex");
  return `quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${digest}`;
}

/** Returns a fake commit hash of the operator. It is derived from the release version. */
function controllerHash(releaseVersion: string): string {
  return createHash("sha1").update(releaseVersion).digest("hex");
}

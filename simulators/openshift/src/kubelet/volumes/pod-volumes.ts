import { join, normalize } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { at, listAt, textAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { ContainerConfigError, containerEnvironment } from "../containers/container-environment.ts";
import type { Mount } from "../containers/container-files.ts";
import { folderName } from "../containers/folder-name.ts";
import { resolveBelow } from "../containers/resolve-path.ts";
import { expandSubPath } from "../containers/sub-path-expression.ts";
import { claimFolder } from "./claim-folder.ts";
import type { VolumeDeps } from "./volume-deps.ts";

/** Returns the host directories of a container's mounts without creating them. */
export async function mountsOf(
  pod: KubeObject,
  container: unknown,
  deps: VolumeDeps,
): Promise<readonly Mount[]> {
  const volumes = listAt(pod, "spec", "volumes");
  const mounts: Mount[] = [];
  let environment: Promise<Readonly<Record<string, string>>> | undefined;
  for (const mount of listAt(container, "volumeMounts")) {
    const volume = volumes.find((each) => textAt(each, "name") === textAt(mount, "name"));
    const path = normalize(`/${textAt(mount, "mountPath") ?? ""}`).replace(/\/$/, "");
    if (volume === undefined || path === "") continue;
    const folder = await folderOf(pod, volume, deps);
    const readOnly = at(mount, "readOnly") === true || filledSources.some((source) => at(volume, source));
    let subPath = textAt(mount, "subPath");
    const expression = textAt(mount, "subPathExpr");
    if (expression !== undefined && expression !== "") {
      environment ??= containerEnvironment(deps.context, pod, container, {});
      subPath = expandSubPath(expression, await environment);
    }
    mounts.push({ path, folder, readOnly, ...(subPath === undefined ? {} : { subPath }) });
  }
  return mounts;
}

/** Volume types with content from the kubelet. Containers can only read them. */
export const filledSources = ["configMap", "secret", "downwardAPI", "projected"];

/** Returns the host directory of a volume. @throws ContainerConfigError for an invalid name */
export async function folderOf(pod: KubeObject, volume: unknown, deps: VolumeDeps): Promise<string> {
  const hostPath = textAt(volume, "hostPath", "path");
  if (hostPath !== undefined) return await resolveBelow(deps.nodeFolder, hostPath);
  const claim = textAt(volume, "persistentVolumeClaim", "claimName");
  if (claim === undefined)
    return join(deps.podFolder, "volumes", folderName("volume", textAt(volume, "name") ?? ""));
  return claimFolder(deps, pod, claim);
}

/** Checks the sources of a pod's volumes. @throws ContainerConfigError if a required claim, ConfigMap or Secret is missing */
export async function requireSources(pod: KubeObject, { client }: WorkloadContext): Promise<void> {
  const { namespace } = pod.metadata;
  for (const volume of listAt(pod, "spec", "volumes")) {
    const claim = textAt(volume, "persistentVolumeClaim", "claimName");
    if (
      claim !== undefined &&
      !(await client.find(resources.persistentVolumeClaims, { namespace, name: claim }))
    ) {
      throw new ContainerConfigError(
        `MountVolume.SetUp failed for volume "${textAt(volume, "name")}" : persistentvolumeclaim "${claim}" not found`,
      );
    }
    const sources = at(volume, "projected") === undefined ? [volume] : listAt(volume, "projected", "sources");
    for (const source of sources) {
      const configMap = textAt(source, "configMap", "name");
      const secret = textAt(source, "secret", "secretName") ?? textAt(source, "secret", "name");
      const optional =
        at(source, "configMap", "optional") === true || at(source, "secret", "optional") === true;
      if (optional) continue;
      const name = textAt(volume, "name");
      if (
        configMap !== undefined &&
        !(await client.find(resources.configMaps, { namespace, name: configMap }))
      ) {
        throw new ContainerConfigError(
          `MountVolume.SetUp failed for volume "${name}" : configmap "${configMap}" not found`,
        );
      }
      if (secret !== undefined && !(await client.find(resources.secrets, { namespace, name: secret }))) {
        throw new ContainerConfigError(
          `MountVolume.SetUp failed for volume "${name}" : secret "${secret}" not found`,
        );
      }
    }
  }
}

import { join, normalize } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { ContainerConfigError, containerEnvironment } from "../containers/container-environment.ts";
import type { Mount } from "../containers/container-files.ts";
import { directoryName } from "../containers/directory-name.ts";
import { resolveBelow } from "../containers/resolve-path.ts";
import { expandSubPath } from "../containers/sub-path-expression.ts";
import { claimDirectory } from "./claim-directory.ts";
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
    const volume = volumes.find((each) => stringAt(each, "name") === stringAt(mount, "name"));
    const path = normalize(`/${stringAt(mount, "mountPath") ?? ""}`).replace(/\/$/, "");
    if (volume === undefined || path === "") continue;
    const directory = await directoryOf(pod, volume, deps);
    const readOnly =
      valueAt(mount, "readOnly") === true || filledSources.some((source) => valueAt(volume, source));
    let subPath = stringAt(mount, "subPath");
    const expression = stringAt(mount, "subPathExpr");
    if (expression !== undefined && expression !== "") {
      environment ??= containerEnvironment(deps.context, pod, container, {});
      subPath = expandSubPath(expression, await environment);
    }
    mounts.push({ path, directory, readOnly, ...(subPath === undefined ? {} : { subPath }) });
  }
  return mounts;
}

/** Volume types with content from the kubelet. Containers can only read them. */
export const filledSources = ["configMap", "secret", "downwardAPI", "projected"];

/** Returns the host directory of a volume. @throws ContainerConfigError for an invalid name */
export async function directoryOf(pod: KubeObject, volume: unknown, deps: VolumeDeps): Promise<string> {
  const hostPath = stringAt(volume, "hostPath", "path");
  if (hostPath !== undefined) return await resolveBelow(deps.nodeDirectory, hostPath);
  const claim = stringAt(volume, "persistentVolumeClaim", "claimName");
  if (claim === undefined)
    return join(deps.podDirectory, "volumes", directoryName("volume", stringAt(volume, "name") ?? ""));
  return claimDirectory(deps, pod, claim);
}

/** Checks the sources of a pod's volumes. @throws ContainerConfigError if a required claim, ConfigMap or Secret is missing */
export async function requireSources(pod: KubeObject, { client }: WorkloadContext): Promise<void> {
  const { namespace } = pod.metadata;
  for (const volume of listAt(pod, "spec", "volumes")) {
    const claim = stringAt(volume, "persistentVolumeClaim", "claimName");
    if (
      claim !== undefined &&
      !(await client.find(resources.persistentVolumeClaims, { namespace, name: claim }))
    ) {
      throw new ContainerConfigError(
        `MountVolume.SetUp failed for volume "${stringAt(volume, "name")}" : persistentvolumeclaim "${claim}" not found`,
      );
    }
    const sources =
      valueAt(volume, "projected") === undefined ? [volume] : listAt(volume, "projected", "sources");
    for (const source of sources) {
      const configMap = stringAt(source, "configMap", "name");
      const secret = stringAt(source, "secret", "secretName") ?? stringAt(source, "secret", "name");
      const optional =
        valueAt(source, "configMap", "optional") === true || valueAt(source, "secret", "optional") === true;
      if (optional) continue;
      const name = stringAt(volume, "name");
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

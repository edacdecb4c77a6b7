import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import { fieldOf } from "../containers/container-environment.ts";
import type { PodToken } from "../containers/pod-token.ts";

type Content = readonly (readonly [path: string, content: string | Buffer])[];

export interface ContentDeps {
  readonly client: ClusterClient;
  readonly token: PodToken;
}

/**
 * Returns the current content of a volume source with one entry per file (core/v1 VolumeProjection). `undefined` if a required
 * ConfigMap or Secret is missing. If the result is `undefined`, the kubelet keeps the previous content of the volume.
 */
export async function contentOf(
  pod: KubeObject,
  source: unknown,
  { client, token }: ContentDeps,
): Promise<Content | undefined> {
  const { namespace } = pod.metadata;
  const configMap = stringAt(source, "configMap", "name");
  if (configMap !== undefined) {
    const found = await client.find(resources.configMaps, { namespace, name: configMap });
    const files = [
      ...Object.entries(stringMapAt(found, "data")),
      ...decoded(stringMapAt(found, "binaryData")),
    ];
    return found || valueAt(source, "configMap", "optional") === true
      ? chosen(files, listAt(source, "configMap", "items"))
      : undefined;
  }
  const secret = stringAt(source, "secret", "secretName") ?? stringAt(source, "secret", "name");
  if (secret !== undefined) {
    const found = await client.find(resources.secrets, { namespace, name: secret });
    return found || valueAt(source, "secret", "optional") === true
      ? chosen(decoded(stringMapAt(found, "data")), listAt(source, "secret", "items"))
      : undefined;
  }
  const account = valueAt(source, "serviceAccountToken");
  if (account !== undefined)
    return [[stringAt(account, "path") ?? "token", await token.current(pod, account)]];
  return listAt(source, "downwardAPI", "items").map((item) => [
    stringAt(item, "path") ?? "",
    fieldOf(pod, stringAt(item, "fieldRef", "fieldPath") ?? ""),
  ]);
}

function decoded(data: Readonly<Record<string, string>>): Content {
  return Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64")]);
}

function chosen(files: Content, items: readonly unknown[]): Content {
  if (items.length === 0) return files;
  const byKey = new Map(files);
  return items.flatMap((item) => {
    const content = byKey.get(stringAt(item, "key") ?? "");
    return content === undefined ? [] : [[stringAt(item, "path") ?? "", content] as const];
  });
}

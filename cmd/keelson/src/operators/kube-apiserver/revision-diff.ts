import { readFile } from "node:fs/promises";
import { listAt, stringAt, timeLimit } from "@keelson/base";
import { type KubeApi, type KubeObject, resources } from "@keelson/kube";
import { diffText, readSnapshot, revisionDiff } from "@keelson/kube-apiserver-operator";
import { parseAllDocuments } from "yaml";
import type { ClusterAccessFlags } from "../../options/cluster-access-options.ts";
import { cliErrors } from "../../output/cli-errors.ts";
import { buildVersion } from "../../process/build-version.ts";
import { connectOperator } from "../connect-operator.ts";

export interface DiffFlags extends ClusterAccessFlags {
  readonly filename: readonly string[];
  readonly output: "table" | "json";
}

const timeoutMs = 60_000;

/** Returns the changes in the next revision as text or JSON. */
export async function runRevisionDiff(
  { filename, output, ...access }: DiffFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const signal = timeLimit(timeoutMs);
  const build = buildVersion();
  const changes = (await Promise.all(filename.map(readObjects))).flat();
  await using api = await connectOperator(
    { ...access, environment },
    { userAgent: `kube-apiserver-operator-diff/${build}`, fieldManager: "kube-apiserver-operator" },
  );
  const version = await releaseVersion(api, signal);
  const snapshot = (await readSnapshot(api, version, signal)).with(changes);
  const diff = revisionDiff(snapshot, build, version, new Date());
  return output === "json" ? `${JSON.stringify(diff, undefined, 2)}\n` : diffText(diff);
}

/** Returns the version that the ClusterOperator reports. Default: the version in the ClusterVersion. */
async function releaseVersion(api: KubeApi, signal: AbortSignal): Promise<string> {
  const operator = await api.find(resources.clusterOperators, { name: "kube-apiserver" }, signal);
  const found = listAt(operator, "status", "versions").find(
    (each) => stringAt(each, "name") === "raw-internal",
  );
  if (found) return stringAt(found, "version") ?? "";
  const cluster = await api.find(resources.clusterVersions, { name: "version" }, signal);
  return stringAt(cluster, "status", "desired", "version") ?? "";
}

async function readObjects(file: string): Promise<readonly KubeObject[]> {
  return parseAllDocuments(await readFile(file, "utf8")).flatMap((document) => {
    const object: unknown = document.toJS({ maxAliasCount: 100 });
    if (object === null) return [];
    const name = stringAt(object, "metadata", "name");
    if (!stringAt(object, "apiVersion") || !stringAt(object, "kind") || !name)
      throw cliErrors.RequestFailed(`${file}: each object needs apiVersion, kind and metadata.name`);
    return [object as KubeObject];
  });
}

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { isPlainObject } from "@keelson/base";
import { resourceOf } from "../apis/served/resource-names.ts";
import { ApiWorld } from "../apis/testing/api-world.ts";
import { ensureObject } from "../base/objects.ts";
import { resources } from "../base/resources.ts";
import { readBootConfiguration } from "../settings/boot-configuration.ts";
import { exampleInstall, exampleSettings } from "../testing/example-cluster.ts";
import { seedsOf } from "./install.ts";
import { componentSeeds } from "./seeds/components.ts";
import { namespaceSeeds } from "./seeds/namespaces.ts";

/** Returns the paths of fields in `given` that are missing or different in `stored`. */
function lost(given: unknown, stored: unknown, path: string): readonly string[] {
  if (isPlainObject(given) && isPlainObject(stored))
    return Object.entries(given).flatMap(([name, member]) => lost(member, stored[name], `${path}.${name}`));
  if (Array.isArray(given) && Array.isArray(stored) && given.length === stored.length)
    return given.flatMap((member, index) => lost(member, stored[index], `${path}[${index}]`));
  return JSON.stringify(given) === JSON.stringify(stored) ? [] : [path];
}

describe("the objects of a fresh cluster", { timeout: 900_000 }, () => {
  test("fits the schemas of its kinds, and none of it is pruned", async () => {
    await using world = await ApiWorld.start();
    const { files } = await exampleInstall();
    const boot = readBootConfiguration(new Map(Object.entries(files)), exampleSettings().infraId);
    for (const namespace of namespaceSeeds())
      await ensureObject(world.cluster.client, resources.namespaces, namespace);
    const keyOf = ({ kind, metadata: { namespace, name } }: KubeObject) => `${kind} ${namespace} ${name}`;
    const given = new Set(boot.manifests.map(keyOf));
    const others = (await seedsOf(boot, world.cluster)).filter((seed) => !given.has(keyOf(seed)));
    const seeds = [...boot.manifests, ...others];
    assert.ok(seeds.length > 100, `${seeds.length} objects`);
    const problems: string[] = [];
    for (const seed of seeds) problems.push(...(await problemsOf(world.cluster.client, seed)));
    assert.deepEqual(problems, []);
  });
});

test("the namespaces of a release's workloads have pod security labels", async () => {
  const enforced = new Map(
    namespaceSeeds().map(({ metadata }) => [
      metadata.name,
      metadata.labels?.["pod-security.kubernetes.io/enforce"],
    ]),
  );
  const workloads = (await componentSeeds(exampleSettings())).filter(({ kind }) =>
    ["DaemonSet", "Deployment"].includes(kind),
  );
  assert.ok(workloads.length > 10);
  for (const { metadata } of workloads)
    assert.equal(enforced.get(metadata.namespace ?? ""), "privileged", metadata.namespace);
});

async function problemsOf(client: ClusterClient, seed: KubeObject): Promise<readonly string[]> {
  const name = `${seed.kind} ${seed.metadata.name}`;
  const ref = resourceOf(seed, []);
  try {
    // The controllers of the test may have created the object already.
    let stored = (await client.find(ref, seed.metadata)) ?? (await client.create(ref, seed));
    if (seed.status !== undefined && stored.status === undefined)
      stored = await client.updateStatus(ref, { ...stored, status: seed.status });
    const { metadata: _, ...given } = seed;
    // Ignores transition times because they differ between writers.
    return lost(given, stored, name).filter((path) => !path.endsWith(".lastTransitionTime"));
  } catch (error) {
    return [`${name}: ${String(error)}`];
  }
}

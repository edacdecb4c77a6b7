import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, valueAt } from "@keelson/base";
import {
  type Condition,
  type Controller,
  controllerReference,
  done,
  keyOf,
  type Result,
  timestamp,
  watch,
  watchMapped,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { conditionOf } from "../../base/conditions.ts";
import { stringMapAt } from "../../base/fields.ts";
import { selectsLabels } from "../../base/label-selector.ts";
import { ensureDeleted, writeStatus } from "../../base/objects.ts";
import { type Resource, resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { generatedConfig } from "../machine-configs/base-configs.ts";
import { controllerConfigKey } from "../machine-configs/controller.ts";
import { ensureConfig } from "../machine-configs/ensure-config.ts";
import { releaseVersionOf } from "../machine-configs/names.ts";
import { containerRuntimeSpec, type GeneratedSpec, kubeletSpec } from "./generated-spec.ts";

interface GeneratingKind {
  readonly kind: string;
  readonly resource: Resource;
  /** Suffix of the generated config names: `99-{pool}-generated-{ending}`. */
  readonly ending: string;
  readonly spec: (object: KubeObject) => GeneratedSpec;
}

/** Converts each KubeletConfig to MachineConfigs for the selected pools. */
export const kubeletConfigs = generator("kubelet-configs", {
  kind: "KubeletConfig",
  resource: resources.kubeletConfigs,
  ending: "kubelet",
  spec: kubeletSpec,
});

/** Converts each ContainerRuntimeConfig to MachineConfigs for the selected pools. */
export const containerRuntimeConfigs = generator("container-runtime-configs", {
  kind: "ContainerRuntimeConfig",
  resource: resources.containerRuntimeConfigs,
  ending: "containerruntime",
  spec: containerRuntimeSpec,
});

function generator(name: string, kind: GeneratingKind): Controller<Cluster> {
  const all = (_object: KubeObject, { cache }: Cluster) => cache.informer(kind.resource).list().map(keyOf);
  return {
    name,
    watches: [
      watch(kind.resource),
      watchMapped(resources.machineConfigPools, all),
      watchMapped(resources.controllerConfigs, all),
      watchMapped(resources.machineConfigs, all, {
        where: ({ object }) => object.metadata.name.includes(`-generated-${kind.ending}`),
      }),
    ],
    reconcile: (key, cluster) => reconcile(kind, key, cluster),
  };
}

/**
 * Annotation with the name suffix of the generated configs. The suffix distinguishes several objects of one kind for the same
 * pool. The first object has no suffix.
 */
const suffixAnnotation = "machineconfiguration.openshift.io/mc-name-suffix";

async function reconcile(kind: GeneratingKind, { name }: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client } = cluster;
  const object = await client.find(kind.resource, { name });
  if (!object) return done;
  const version = releaseVersionOf(await client.find(resources.controllerConfigs, controllerConfigKey));
  if (version === undefined) return done;
  const suffix = stringMapAt(object, "metadata", "annotations")[suffixAnnotation];
  if (object.metadata.deletionTimestamp === undefined && suffix === undefined) {
    const annotations = {
      ...object.metadata.annotations,
      [suffixAnnotation]: await nextSuffix(kind, cluster),
    };
    // This update of the object triggers the next reconciliation.
    await client.update(kind.resource, { ...object, metadata: { ...object.metadata, annotations } });
    return done;
  }
  const pools = await poolsOf(object, cluster);
  const generated = kind.spec(object);
  const problem =
    generated.kind === "invalid"
      ? generated.message
      : pools.length === 0
        ? `could not find any MachineConfigPool set for ${kind.kind} ${name}`
        : undefined;
  const nameFor = (pool: KubeObject) =>
    `99-${pool.metadata.name}-generated-${kind.ending}${suffix ? `-${suffix}` : ""}`;
  const going = object.metadata.deletionTimestamp !== undefined;
  const wanted = going ? [] : pools.map(nameFor);
  const present = object.metadata.finalizers ?? [];
  if (generated.kind === "spec" && !going)
    for (const pool of pools) {
      const config = generatedConfig(nameFor(pool), pool.metadata.name, version, generated.spec);
      await ensureConfig(client, {
        ...config,
        metadata: { ...config.metadata, ownerReferences: [controllerReference(object)] },
      });
    }
  if (problem === undefined || going)
    for (const stale of present.filter((each) => isGenerated(each, kind) && !wanted.includes(each)))
      await ensureDeleted(client, resources.machineConfigs, { name: stale });
  const finalizers = [
    ...present.filter((each) => !isGenerated(each, kind)),
    ...(problem === undefined || going ? wanted : present.filter((each) => isGenerated(each, kind))),
  ];
  const changed = finalizers.join() !== present.join();
  const current = changed
    ? await client.update(kind.resource, { ...object, metadata: { ...object.metadata, finalizers } })
    : object;
  if (!going)
    await writeStatus(client, kind.resource, current, statusOf(current, problem, cluster.clock.now()));
  return done;
}

function isGenerated(name: string, { ending }: GeneratingKind): boolean {
  return name.startsWith("99-") && name.includes(`-generated-${ending}`);
}

async function poolsOf(object: KubeObject, { client }: Cluster): Promise<readonly KubeObject[]> {
  const selector = valueAt(object, "spec", "machineConfigPoolSelector");
  if (selector === undefined) return [];
  return (await client.list(resources.machineConfigPools)).items.filter((pool) =>
    selectsLabels(selector, stringMapAt(pool, "metadata", "labels")),
  );
}

async function nextSuffix(kind: GeneratingKind, { client }: Cluster): Promise<string> {
  const taken = (await client.list(kind.resource)).items.flatMap((each) => {
    const suffix = stringMapAt(each, "metadata", "annotations")[suffixAnnotation];
    return suffix === undefined ? [] : [Number(suffix || 0)];
  });
  return taken.length === 0 ? "" : String(Math.max(...taken) + 1);
}

/** Returns the status with the newest condition appended. An unchanged condition is not appended again. */
function statusOf(object: KubeObject, problem: string | undefined, now: Date): Record<string, unknown> {
  const verdict: Condition =
    problem === undefined
      ? { type: "Success", status: "True", message: "Success" }
      : { type: "Failure", status: "False", message: `Error: ${problem}` };
  const before = listAt(object, "status", "conditions");
  const last = conditionOf({ status: { conditions: before.slice(-1) } }, verdict.type);
  const conditions =
    last.message === verdict.message
      ? before
      : [...before.slice(-2), { ...verdict, lastTransitionTime: timestamp(now) }];
  return {
    ...objectAt(object, "status"),
    observedGeneration: object.metadata.generation ?? 1,
    conditions,
  };
}

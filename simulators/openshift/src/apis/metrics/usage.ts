import { type KubeObject, quantityOf } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";

/** Current resource usage of a container, pod or node. */
export interface Usage {
  readonly milliCores: number;
  readonly kibibytes: number;
}

/** Assumed resource requests of a container that specifies none. */
const modest: Usage = { milliCores: 10, kibibytes: 64 * 1024 };
/** Usage of a node's system processes, without pods. */
const ofNodeItself: Usage = { milliCores: 150, kibibytes: 1024 * 1024 };

/** Returns the usage of a pod's running containers by name. */
export function containerUsages(pod: KubeObject): readonly (readonly [name: string, usage: Usage])[] {
  const running = new Set(
    listAt(pod, "status", "containerStatuses")
      .filter((each) => Object.hasOwn(objectAt(each, "state"), "running"))
      .map((each) => stringAt(each, "name")),
  );
  return listAt(pod, "spec", "containers").flatMap((container) => {
    const name = stringAt(container, "name") ?? "";
    const usage = () => ({ ...usageOf(container, `${pod.metadata.uid}/${name}`), ...usageSaid(pod) });
    return running.has(name) ? [[name, usage()] as const] : [];
  });
}

/** Pod annotations that override the usage of each container. Autoscaling tests use them. */
const usageAnnotations = { cpu: "usage.keelson.dev/cpu", memory: "usage.keelson.dev/memory" } as const;

function usageSaid({ metadata: { annotations } }: KubeObject): Partial<Usage> {
  const amount = (name: "cpu" | "memory", unit: number) => {
    const text = annotations?.[usageAnnotations[name]];
    const value = text === undefined ? Number.NaN : quantityOf(text) / unit;
    return Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
  };
  const [milliCores, kibibytes] = [amount("cpu", 0.001), amount("memory", 1024)];
  return {
    ...(milliCores === undefined ? {} : { milliCores }),
    ...(kibibytes === undefined ? {} : { kibibytes }),
  };
}

export function nodeUsage(pods: readonly KubeObject[]): Usage {
  return pods
    .flatMap((pod) => containerUsages(pod).map(([, usage]) => usage))
    .reduce(
      (sum, each) => ({
        milliCores: sum.milliCores + each.milliCores,
        kibibytes: sum.kibibytes + each.kibibytes,
      }),
      ofNodeItself,
    );
}

/** Formats usage as quantities of the metrics API. */
export function quantities({ milliCores, kibibytes }: Usage): Readonly<Record<string, string>> {
  return { cpu: `${milliCores}m`, memory: `${kibibytes}Ki` };
}

/** Returns the usage of a container, 30 to 90 % of its resource requests. The percentage depends only on `seed`. */
function usageOf(container: unknown, seed: string): Usage {
  const share = 0.3 + 0.6 * (hash(seed) / 0xffff_ffff);
  const asked = (name: string, unit: number, otherwise: number) => {
    const quantity = stringAt(container, "resources", "requests", name);
    const amount = quantity === undefined ? Number.NaN : quantityOf(quantity) / unit;
    return Math.max(1, Math.round(share * (Number.isFinite(amount) && amount > 0 ? amount : otherwise)));
  };
  return {
    milliCores: asked("cpu", 0.001, modest.milliCores),
    kibibytes: asked("memory", 1024, modest.kibibytes),
  };
}

/** Returns the 32-bit FNV-1a hash of a string. */
function hash(text: string): number {
  let value = 0x811c_9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x0100_0193);
  return value >>> 0;
}

import { type KubeObject, quantityOf } from "@keelson/apiserver";
import { listAt, recordAt, textAt } from "../../base/fields.ts";

/** Current resource usage. */
export interface Usage {
  readonly milliCores: number;
  readonly kibibytes: number;
}

/** Assumed requests of a container without requests. */
const modest: Usage = { milliCores: 10, kibibytes: 64 * 1024 };
/** Usage of a node without its pods. */
const ofNodeItself: Usage = { milliCores: 150, kibibytes: 1024 * 1024 };

/** Usage of a pod's running containers, by name. */
export function containerUsages(pod: KubeObject): readonly (readonly [name: string, usage: Usage])[] {
  const running = new Set(
    listAt(pod, "status", "containerStatuses")
      .filter((each) => Object.hasOwn(recordAt(each, "state"), "running"))
      .map((each) => textAt(each, "name")),
  );
  return listAt(pod, "spec", "containers").flatMap((container) => {
    const name = textAt(container, "name") ?? "";
    const usage = () => ({ ...usageOf(container, `${pod.metadata.uid}/${name}`), ...usageSaid(pod) });
    return running.has(name) ? [[name, usage()] as const] : [];
  });
}

/** Annotations of a pod that set the usage of each container, for tests of autoscaling. */
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

/** Form of the metrics API. */
export function quantities({ milliCores, kibibytes }: Usage): Readonly<Record<string, string>> {
  return { cpu: `${milliCores}m`, memory: `${kibibytes}Ki` };
}

/** Fraction of the container's requests, between 30 and 90 %. It is constant per container. */
function usageOf(container: unknown, seed: string): Usage {
  const share = 0.3 + 0.6 * (hash(seed) / 0xffff_ffff);
  const asked = (name: string, unit: number, otherwise: number) => {
    const quantity = textAt(container, "resources", "requests", name);
    const amount = quantity === undefined ? Number.NaN : quantityOf(quantity) / unit;
    return Math.max(1, Math.round(share * (Number.isFinite(amount) && amount > 0 ? amount : otherwise)));
  };
  return {
    milliCores: asked("cpu", 0.001, modest.milliCores),
    kibibytes: asked("memory", 1024, modest.kibibytes),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c_9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x0100_0193);
  return value >>> 0;
}

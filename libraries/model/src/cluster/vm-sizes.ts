export type VmRole = "master" | "worker";

/** Virtual machine size that clusters may use. */
export interface VmSize {
  /** Name of the size, for example `Standard_D8s_v5`. */
  readonly name: string;
  /** Azure quota family of the size. Azure counts the cores of a machine against the quota of this family. */
  readonly family: string;
  readonly cores: number;
  readonly roles: readonly VmRole[];
  /** First OpenShift version with a node image for the size. */
  readonly minimumVersion?: string;
  /** True if the size boots only images of Hyper-V generation 2. */
  readonly requiresHyperVGen2?: boolean;
  readonly encryptionAtHost: boolean;
  /** True if the size is too small for production clusters. */
  readonly developmentOnly: boolean;
}

interface Family {
  readonly family: string;
  /**
   * Sizes for masters and workers. `workers` contains the sizes that only workers can have. `D8s,D16s_v3` stands for
   * `Standard_D8s_v3` and `Standard_D16s_v3`.
   */
  readonly both?: string;
  readonly workers?: string;
  readonly minimumVersion?: string;
  readonly requiresHyperVGen2?: boolean;
}

const nextGeneration = { minimumVersion: "4.19.0", requiresHyperVGen2: true };

const families: readonly Family[] = [
  { family: "standardDSv3Family", both: "D8s,D16s,D32s_v3", workers: "D4s_v3" },
  { family: "standardDSv4Family", both: "D8s,D16s,D32s_v4", workers: "D4s,D64s_v4" },
  { family: "standardDSv5Family", both: "D8s,D16s,D32s_v5", workers: "D4s,D64s,D96s_v5" },
  { family: "standardDASv4Family", both: "D8as,D16as,D32as_v4", workers: "D4as,D64as,D96as_v4" },
  { family: "standardDASv5Family", both: "D8as,D16as,D32as_v5", workers: "D4as,D64as,D96as_v5" },
  { family: "standardDDSv5Family", both: "D8ds,D16ds,D32ds_v5", workers: "D4ds,D48ds,D64ds,D96ds_v5" },
  { family: "standardDSv6Family", both: "D4s,D8s,D16s,D32s,D48s,D64s,D96s_v6", ...nextGeneration },
  { family: "standardDDSv6Family", both: "D4ds,D8ds,D16ds,D32ds,D48ds,D64ds,D96ds_v6", ...nextGeneration },
  { family: "standardESv3Family", both: "E8s,E16s,E32s,E64is_v3", workers: "E4s_v3" },
  { family: "standardESv4Family", both: "E8s,E16s,E20s,E32s,E48s,E64s_v4", workers: "E2s,E4s_v4" },
  { family: "standardESv5Family", both: "E8s,E16s,E20s,E32s,E48s,E64s,E96s_v5", workers: "E2s,E4s_v5" },
  { family: "standardEASv4Family", both: "E4as,E8as,E16as,E20as,E32as,E48as,E64as,E96as_v4" },
  { family: "standardEASv5Family", both: "E8as,E16as,E20as,E32as,E48as,E64as,E96as_v5" },
  { family: "standardEISv4Family", both: "E80is_v4" },
  { family: "standardEIDSv4Family", both: "E80ids_v4" },
  { family: "standardEISv5Family", both: "E104is_v5" },
  { family: "standardEIDSv5Family", both: "E104ids_v5" },
  { family: "standardEDSv5Family", workers: "E96ds_v5" },
  { family: "standardFSv2Family", both: "F72s_v2", workers: "F4s,F8s,F16s,F32s_v2" },
  { family: "standardMSFamily", both: "M128ms" },
  { family: "standardLsv2Family", workers: "L4s,L8s,L16s,L32s" },
  { family: "standardLsv2Family", workers: "L8s,L16s,L32s,L48s,L64s_v2" },
  { family: "standardLsv3Family", workers: "L8s,L16s,L32s,L48s,L64s_v3" },
  { family: "standardLsv4Family", workers: "L4s,L8s,L16s,L32s,L48s,L64s,L80s_v4", ...nextGeneration },
  { family: "standardDLSv6Family", workers: "D4ls,D8ls,D16ls,D32ls,D48ls,D64ls,D96ls_v6", ...nextGeneration },
  {
    family: "standardDLDSv6Family",
    workers: "D4lds,D8lds,D16lds,D32lds,D48lds,D64lds,D96lds_v6",
    ...nextGeneration,
  },
  { family: "Standard NCASv3_T4 Family", workers: "NC4as,NC8as,NC16as,NC64as_T4_v3" },
  { family: "Standard NCSv3 Family", workers: "NC6s,NC12s,NC24s,NC24rs_v3" },
];

const developmentFamilies: readonly Family[] = [
  { family: "standardDSv3Family", workers: "D2s_v3" },
  { family: "standardDSv4Family", workers: "D2s_v4" },
  { family: "standardDSv5Family", workers: "D2s_v5" },
];

/** All virtual machine sizes, development sizes last. */
export const vmSizes: readonly VmSize[] = [
  ...families.flatMap((family) => sizesOf(family, false)),
  ...developmentFamilies.flatMap((family) => sizesOf(family, true)),
];

const byName = new Map(vmSizes.map((size) => [size.name, size]));

/** Finds a size by name. The comparison is case-sensitive. */
export function findVmSize(name: string): VmSize | undefined {
  return byName.get(name);
}

/** Returns the first OpenShift version `x.y.z` that supports this size. Undefined if all versions support it. */
export function minimumVersion(name: string): string | undefined {
  return findVmSize(name)?.minimumVersion;
}

function sizesOf({ family, both, workers, ...rest }: Family, developmentOnly: boolean): VmSize[] {
  const make = (names: string | undefined, roles: readonly VmRole[]) =>
    namesOf(names).map((name) => ({
      name,
      family,
      cores: coresOf(name),
      roles,
      ...rest,
      encryptionAtHost: family !== "standardMSFamily",
      developmentOnly,
    }));
  return [...make(both, ["master", "worker"]), ...make(workers, ["worker"])];
}

function namesOf(names: string | undefined): string[] {
  if (!names) return [];
  const end = names.includes("_") ? names.indexOf("_") : names.length;
  return names
    .slice(0, end)
    .split(",")
    .map((name) => `Standard_${name}${names.slice(end)}`);
}

function coresOf(name: string): number {
  return Number(/\d+/.exec(name)?.[0]);
}

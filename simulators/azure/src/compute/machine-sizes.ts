/** Virtual machine size offered by Azure. */
export interface MachineSize {
  readonly name: string;
  /** Name of the core quota for the size's family. Cores count against this quota and against the total quota `cores`. */
  readonly family: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly encryptionAtHost: boolean;
}

/** Machine size families. `D2s,D4s_v3` means `Standard_D2s_v3` and `Standard_D4s_v3`. */
const families: readonly (readonly [family: string, ...sizes: string[]])[] = [
  ["standardDSv3Family", "D2s,D4s,D8s,D16s,D32s,D48s,D64s_v3"],
  ["standardDSv4Family", "D2s,D4s,D8s,D16s,D32s,D48s,D64s_v4"],
  ["standardDSv5Family", "D2s,D4s,D8s,D16s,D32s,D48s,D64s,D96s_v5"],
  ["standardDASv4Family", "D2as,D4as,D8as,D16as,D32as,D48as,D64as,D96as_v4"],
  ["standardDASv5Family", "D2as,D4as,D8as,D16as,D32as,D48as,D64as,D96as_v5"],
  ["standardDDSv5Family", "D2ds,D4ds,D8ds,D16ds,D32ds,D48ds,D64ds,D96ds_v5"],
  ["standardDSv6Family", "D2s,D4s,D8s,D16s,D32s,D48s,D64s,D96s_v6"],
  ["standardDDSv6Family", "D2ds,D4ds,D8ds,D16ds,D32ds,D48ds,D64ds,D96ds_v6"],
  ["standardDLSv6Family", "D2ls,D4ls,D8ls,D16ls,D32ls,D48ls,D64ls,D96ls_v6"],
  ["standardDLDSv6Family", "D2lds,D4lds,D8lds,D16lds,D32lds,D48lds,D64lds,D96lds_v6"],
  ["standardESv3Family", "E2s,E4s,E8s,E16s,E20s,E32s,E48s,E64s,E64is_v3"],
  ["standardESv4Family", "E2s,E4s,E8s,E16s,E20s,E32s,E48s,E64s_v4"],
  ["standardESv5Family", "E2s,E4s,E8s,E16s,E20s,E32s,E48s,E64s,E96s_v5"],
  ["standardEASv4Family", "E2as,E4as,E8as,E16as,E20as,E32as,E48as,E64as,E96as_v4"],
  ["standardEASv5Family", "E2as,E4as,E8as,E16as,E20as,E32as,E48as,E64as,E96as_v5"],
  ["standardEISv4Family", "E80is_v4"],
  ["standardEIDSv4Family", "E80ids_v4"],
  ["standardEISv5Family", "E104is_v5"],
  ["standardEIDSv5Family", "E104ids_v5"],
  ["standardEDSv5Family", "E2ds,E4ds,E8ds,E16ds,E32ds,E48ds,E64ds,E96ds_v5"],
  ["standardFSv2Family", "F2s,F4s,F8s,F16s,F32s,F48s,F64s,F72s_v2"],
  ["standardMSFamily", "M64s,M64ms,M128s,M128ms"],
  ["standardLsv2Family", "L4s,L8s,L16s,L32s", "L8s,L16s,L32s,L48s,L64s,L80s_v2"],
  ["standardLsv3Family", "L8s,L16s,L32s,L48s,L64s,L80s_v3"],
  ["standardLsv4Family", "L2s,L4s,L8s,L16s,L32s,L48s,L64s,L80s,L96s_v4"],
  ["Standard NCASv3_T4 Family", "NC4as,NC8as,NC16as,NC64as_T4_v3"],
  ["Standard NCSv3 Family", "NC6s,NC12s,NC24s,NC24rs_v3"],
];

/** Families that do not support encryption at host. */
const withoutEncryption = new Set(["standardMSFamily"]);

/** Memory in GiB per core, by the letters in the name of the size. Some large sizes have a different ratio. */
const memoryPerCore = { D: 4, DL: 2, E: 8, F: 2, L: 8, M: 16, NC: 7 };
const memories: Readonly<Record<string, number>> = {
  Standard_E64s_v3: 432,
  Standard_E64is_v3: 432,
  Standard_E64s_v4: 504,
  Standard_E80is_v4: 504,
  Standard_E80ids_v4: 504,
  Standard_E96s_v5: 672,
  Standard_E96as_v4: 672,
  Standard_E96as_v5: 672,
  Standard_E96ds_v5: 672,
  Standard_E104is_v5: 672,
  Standard_E104ids_v5: 672,
  Standard_M64ms: 1_792,
  Standard_M128ms: 3_892,
  Standard_NC6s_v3: 112,
  Standard_NC12s_v3: 224,
  Standard_NC24s_v3: 448,
  Standard_NC24rs_v3: 448,
  Standard_NC64as_T4_v3: 440,
};

const coresOf = (name: string) => Number(/\d+/.exec(name)?.[0]);

function memoryOf(name: string): number {
  const letters = (/_([A-Z]+)\d+(l?)/.exec(name) ?? []).slice(1).join("").toUpperCase();
  const perCore = Object.entries(memoryPerCore).find(([each]) => each === letters)?.[1] ?? 4;
  return memories[name] ?? coresOf(name) * perCore;
}

export const machineSizes: readonly MachineSize[] = families.flatMap(([family, ...lists]) =>
  lists.flatMap(namesOf).map((name) => ({
    name,
    family,
    cores: coresOf(name),
    memoryGB: memoryOf(name),
    encryptionAtHost: !withoutEncryption.has(family),
  })),
);

export const machineFamilies: readonly string[] = families.map(([family]) => family);

const byName = new Map(machineSizes.map((size) => [size.name.toLowerCase(), size]));

export function findMachineSize(name: string): MachineSize | undefined {
  return byName.get(name.toLowerCase());
}

function namesOf(list: string): readonly string[] {
  const [, sizes = "", version = ""] = /^([^_]*)(_.*)?$/.exec(list) ?? [];
  return sizes.split(",").map((size) => `Standard_${size}${version}`);
}

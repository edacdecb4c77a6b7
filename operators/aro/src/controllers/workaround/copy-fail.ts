import { mitigation } from "./mitigation.ts";

/** Mitigation of CVE-2026-31431. It prevents the kernel from loading the vulnerable module. */
export const copyFail = mitigation({
  name: "workaround for CVE-2026-31431 ('copy fail') on control plane",
  flag: "aro.workaround.copyfail.enabled",
  configName: "99-master-disable-algif-aead",
  spec: { kernelArguments: ["initcall_blacklist=algif_aead_init"] },
  fixed: [
    [4, 21, 14],
    [4, 20, 21],
    [4, 19, 30],
    [4, 18, 40],
    [4, 17, 53],
    [4, 16, 61],
    [4, 15, 64],
    [4, 14, 65],
    [4, 13, 66],
    [4, 12, 89],
  ],
});

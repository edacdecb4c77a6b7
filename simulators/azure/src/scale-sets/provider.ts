import type { ArmProvider } from "../arm/provider.ts";
import { scaleSetMachines } from "./scale-set-machines.ts";
import { virtualMachineScaleSets } from "./virtual-machine-scale-sets.ts";

export const scaleSetsProvider: ArmProvider = {
  namespace: "Microsoft.Compute",
  types: [virtualMachineScaleSets, scaleSetMachines],
};

import type { ArmProvider } from "../arm/provider.ts";
import { registries } from "./registries.ts";
import { replications } from "./replications.ts";
import { scopeMaps } from "./scope-maps.ts";
import { tokens } from "./tokens.ts";

export const containerRegistryProvider: ArmProvider = {
  namespace: "Microsoft.ContainerRegistry",
  types: [registries, scopeMaps, tokens, replications],
  firstApiVersion: "2016-06-27",
};

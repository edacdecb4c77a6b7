import { clusterProfileFields } from "./cluster-profile.ts";
import { credentialFields } from "./credentials.ts";
import { endpointFields } from "./endpoints.ts";
import type { Field } from "./field.ts";
import { machineFields } from "./machines.ts";
import { networkFields } from "./network.ts";
import { resourceFields } from "./resource.ts";

/** Every field of every version, parents first. In this order the hand-written versions report changes. */
export const catalogue: readonly Field[] = [
  ...resourceFields,
  ...clusterProfileFields,
  ...credentialFields,
  ...networkFields,
  ...machineFields,
  ...endpointFields,
];

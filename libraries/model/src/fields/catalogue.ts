import { clusterProfileFields } from "./cluster-profile.ts";
import { credentialFields } from "./credentials.ts";
import { endpointFields } from "./endpoints.ts";
import type { Field } from "./field.ts";
import { machineFields } from "./machines.ts";
import { networkFields } from "./network.ts";
import { identityFields, resourceFields } from "./resource.ts";

/**
 * All fields of all versions. Parents precede their children. API versions with hand-written models report changes in this order.
 */
export const catalogue: readonly Field[] = [
  ...resourceFields,
  ...clusterProfileFields,
  ...credentialFields,
  ...networkFields,
  ...machineFields,
  ...endpointFields,
  ...identityFields,
];

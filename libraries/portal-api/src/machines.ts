import { type Static, Type } from "typebox";
import { closed } from "./shape.ts";

const text = Type.String();

/** Machine of a cluster. Unknown values are empty strings. */
const machineSchema = closed({
  name: text,
  createdTime: text,
  lastUpdated: text,
  errorReason: Type.String({ description: "`None` if the machine has no error, also in the message" }),
  errorMessage: text,
  lastOperation: text,
  lastOperationDate: text,
  status: Type.String({ description: "phase of the machine, or `Unknown`" }),
});
export type MachineView = Static<typeof machineSchema>;

export const machinesSchema = closed({ machines: Type.Array(machineSchema) });
export type Machines = Static<typeof machinesSchema>;

const machineSetSchema = closed({
  name: text,
  type: Type.String({ description: "`master`, `worker` or `infra`" }),
  createdAt: text,
  desiredReplicas: Type.Integer(),
  replicas: Type.Integer(),
  errorReason: text,
  errorMessage: text,
  publicLoadBalancerName: text,
  vmSize: text,
  accountStorageType: text,
  subnet: text,
  vnet: text,
  // Property names are spelled in lower case, as in the Azure/ARO-RP portal.
  createdat: text,
  errorreason: text,
  errormessage: text,
  publicloadbalancername: text,
  vmsize: text,
  accountstoragetype: text,
  desiredreplicas: Type.Integer(),
});
export type MachineSetView = Static<typeof machineSetSchema>;

export const machineSetsSchema = closed({
  machines: Type.Array(machineSetSchema, { description: "the original's name for machine sets" }),
});
export type MachineSets = Static<typeof machineSetsSchema>;

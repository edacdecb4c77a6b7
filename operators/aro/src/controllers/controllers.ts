import type { AroController } from "../runtime/aro-controller.ts";
import type { OperatorRole } from "../runtime/operator-context.ts";
import { banner } from "./banner/controller.ts";
import { dnsmasq } from "./dnsmasq/controller.ts";

/** The controllers of each role. */
export const controllersOf: Readonly<Record<OperatorRole, readonly AroController[]>> = {
  master: [banner, dnsmasq],
  worker: [],
};

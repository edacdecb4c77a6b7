import type { AroController } from "../runtime/aro-controller.ts";
import type { OperatorRole } from "../runtime/operator-context.ts";
import { banner } from "./banner/controller.ts";
import { clusterOperatorAro } from "./cluster-operator-aro/controller.ts";
import { dnsmasq } from "./dnsmasq/controller.ts";
import { internetChecker } from "./internet-checker/controller.ts";

/** The controllers of each role. */
export const controllersOf: Readonly<Record<OperatorRole, readonly AroController[]>> = {
  master: [banner, clusterOperatorAro, dnsmasq, internetChecker()],
  worker: [internetChecker()],
};

import type { AroController } from "../runtime/aro-controller.ts";
import type { OperatorRole } from "../runtime/operator-context.ts";
import { autoSizedNodes } from "./autosizednodes/controller.ts";
import { azureSubnets } from "./azure-subnets/controller.ts";
import { banner } from "./banner/controller.ts";
import { clusterOperatorAro } from "./cluster-operator-aro/controller.ts";
import { dnsmasq } from "./dnsmasq/controller.ts";
import { etcHosts } from "./etchosts/controller.ts";
import { internetChecker } from "./internet-checker/controller.ts";
import { rebootPendingController } from "./reboot-pending/controller.ts";
import { servicePrincipalChecker } from "./service-principal-checker/controller.ts";
import { storageAccounts } from "./storage-accounts/controller.ts";
import { workaround } from "./workaround/controller.ts";

/** The controllers of each role. */
export const controllersOf: Readonly<Record<OperatorRole, readonly AroController[]>> = {
  master: [
    autoSizedNodes,
    azureSubnets,
    banner,
    clusterOperatorAro,
    dnsmasq,
    etcHosts,
    internetChecker(),
    rebootPendingController,
    servicePrincipalChecker,
    storageAccounts,
    workaround,
  ],
  worker: [internetChecker()],
};

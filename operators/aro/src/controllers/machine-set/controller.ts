import { generationChanged, keyOf, watch } from "@keelson/controller";
import { resources } from "@keelson/kube";
import { type AroController, done } from "../../runtime/aro-controller.ts";
import { scalingOf } from "./plan.ts";

const { machineSets } = resources;
const selection = {
  namespace: "openshift-machine-api",
  labelSelector: "machine.openshift.io/cluster-api-machine-role=worker",
};

/** Keeps two workers at least, as long as all worker sets are those that the service made. */
export const machineSet: AroController = {
  name: "MachineSet",
  flag: "aro.machineset.enabled",
  watches: [watch(machineSets, { selection, where: generationChanged })],
  keys: ({ cache }) => cache.informer(machineSets, { selection }).list().map(keyOf),
  permissions: [
    {
      namespace: selection.namespace,
      apiGroups: ["machine.openshift.io"],
      resources: ["machinesets"],
      verbs: ["get", "list", "watch", "patch"],
    },
  ],
  async reconcile({ cache, cluster, objects }, { name }) {
    const workers = cache.informer(machineSets, { selection }).list();
    const scaling = scalingOf(workers, cluster.spec?.infraId ?? "", name);
    if (scaling)
      await objects.correct(machineSets, scaling.machineSet, { spec: { replicas: scaling.replicas } });
    return done;
  },
};

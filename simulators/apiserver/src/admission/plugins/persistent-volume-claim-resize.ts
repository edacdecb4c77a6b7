import { type KubeObject, quantityOf, scalarStringAt } from "@keelson/apimachinery";
import { storageClassOf } from "@keelson/kinds";
import { forbidden } from "../../resources/forbidden.ts";
import type { AdmissionPlugin } from "./plugin.ts";

/** Allows a larger storage request only for bound claims with an expandable storage class. */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  targets: ["UPDATE /persistentvolumeclaims"],
  validate(request, { store }) {
    const { object, oldObject } = request;
    if (!object || !oldObject || !(sizeOf(object) > sizeOf(oldObject))) return;
    if (scalarStringAt(oldObject, "status", "phase") !== "Bound") {
      throw forbidden(request, "Only bound persistent volume claims can be expanded");
    }
    const name = storageClassOf(object);
    const found =
      name && name === storageClassOf(oldObject) && store.get("storage.k8s.io/storageclasses", name);
    if (found && found.object.allowVolumeExpansion === true) return;
    throw forbidden(
      request,
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
    );
  },
};

function sizeOf(claim: KubeObject): number {
  return quantityOf(scalarStringAt(claim, "spec", "resources", "requests", "storage"));
}

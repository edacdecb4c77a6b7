import type { ArmProvider } from "../arm/provider.ts";
import { listUsages } from "../arm/usages.ts";
import { availabilitySets } from "./availability-sets.ts";
import { diskEncryptionSets } from "./disk-encryption-sets.ts";
import { disks } from "./disks.ts";
import { galleries, galleryImages, galleryImageVersions } from "./galleries.ts";
import { machineExtensions } from "./machine-extensions.ts";
import { listSkus } from "./skus.ts";
import { snapshots } from "./snapshots.ts";
import { computeUsages } from "./usages.ts";
import { virtualMachines } from "./virtual-machines.ts";

export const computeProvider: ArmProvider = {
  namespace: "Microsoft.Compute",
  types: [
    virtualMachines,
    machineExtensions,
    disks,
    snapshots,
    availabilitySets,
    galleries,
    galleryImages,
    galleryImageVersions,
    diskEncryptionSets,
  ],
  views: {
    skus: { method: "GET", run: (_names, request, subscription) => listSkus(subscription, request) },
    "locations/usages": {
      method: "GET",
      run: ([location = ""], _request, subscription) =>
        listUsages(subscription, location, (place) => computeUsages(subscription, place)),
    },
  },
  firstApiVersion: "2015-05-01",
  previewFeatures: ["EncryptionAtHost"],
};

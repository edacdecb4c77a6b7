import type { ArmProvider } from "../arm/provider.ts";
import { openShiftService } from "../entra/first-party-clients.ts";

/** Azure Red Hat OpenShift, whose resources the service that is tested serves. */
export const redHatOpenShiftProvider: ArmProvider = {
  namespace: "Microsoft.RedHatOpenShift",
  isRemote: true,
  describedTypes: [
    "OpenShiftClusters",
    "locations",
    "locations/openshiftversions",
    "locations/operationresults",
    "locations/operationsstatus",
    "locations/platformworkloadidentityrolesets",
    "operations",
  ],
  apiVersions: [
    "2025-07-25",
    "2024-08-12-preview",
    "2023-11-22",
    "2023-09-04",
    "2023-07-01-preview",
    "2023-04-01",
    "2022-09-04",
    "2022-04-01",
    "2021-09-01-preview",
    "2020-04-30",
    "2019-12-31-preview",
  ],
  // By which role the service's own application acts in subscriptions.
  authorizations: [
    {
      applicationId: openShiftService.clientId,
      roleDefinitionId: "640c5ac9-6f32-4891-94f4-d20f7aa9a7e6",
      managedByRoleDefinitionId: "9e3af657-a8ff-583c-a75c-2fe7c4bcb635",
      managedByAuthorization: { allowManagedByInheritance: true },
    },
  ],
  previewFeatures: ["MTU3900", "RedHatEngineering"],
};

import type { ArmProvider, DescribedType } from "../arm/provider.ts";
import { openShiftService } from "../entra/first-party-clients.ts";

/** API versions of Azure Red Hat OpenShift, newest first. */
const versions: readonly string[] = [
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
];

function inLocations(type: string, apiVersions: readonly string[]): DescribedType {
  return { resourceType: `locations/${type}`, isRegional: true, apiVersions, capabilities: "None" };
}

/** Azure Red Hat OpenShift resource provider. The service under test serves its resources. */
export const redHatOpenShiftProvider: ArmProvider = {
  namespace: "Microsoft.RedHatOpenShift",
  isRemote: true,
  describedTypes: [
    {
      resourceType: "OpenShiftClusters",
      isRegional: true,
      apiVersions: versions.filter((each) => each !== "2019-12-31-preview"),
      defaultApiVersion: "2025-07-25",
      capabilities: "SupportsTags, SupportsLocation",
    },
    { resourceType: "locations", isRegional: false, apiVersions: versions, capabilities: "None" },
    { resourceType: "operations", isRegional: false, apiVersions: versions, capabilities: "None" },
    ...["operationresults", "operationsstatus"].map((type) => inLocations(type, versions)),
    inLocations(
      "openshiftversions",
      versions.filter((each) => each >= "2022-09-04"),
    ),
    inLocations("platformworkloadidentityrolesets", ["2025-07-25", "2024-08-12-preview"]),
  ],
  // Applications of the service and their roles in subscriptions.
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

import { ArmError, badRequest } from "../arm/arm-error.ts";
import { parentId } from "../arm/arm-path.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { guidOf } from "../entra/credentials.ts";

export const galleries: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "galleries",
  names: /^[A-Za-z0-9]([\w.]{0,78}[A-Za-z0-9])?$/,
  readOnly: ["identifier"],
  checkDelete: (gallery, subscription) => checkEmpty(gallery, "images", subscription),
  prepare: ({ id, name, body }, subscription) => ({
    body: withProperties(body, {
      identifier: { uniqueName: `${subscription.subscriptionId}-${name}`.toUpperCase() },
      resourceGuid: guidOf(id),
    }),
  }),
};

export const galleryImages: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "galleries/images",
  names: /^[A-Za-z0-9]([\w.-]{0,78}[A-Za-z0-9])?$/,
  checkDelete: (image, subscription) => checkEmpty(image, "versions", subscription),
  prepare({ id, body, existing }, subscription) {
    const wanted = identifierOf(body);
    if (
      !/^(Linux|Windows)$/.test(nonEmptyStringAt(body, "properties", "osType") ?? "") ||
      wanted === undefined
    ) {
      throw badRequest(
        "InvalidParameter",
        `The image ${id} needs 'osType' and an 'identifier' with publisher, offer and sku.`,
      );
    }
    const twin = subscription.resources
      .inCollection(`${parentId(id)}/images`)
      .find((each) => each.id !== existing?.id && identifierOf(each.body) === wanted);
    if (twin && !existing) {
      throw new ArmError(409, "Conflict", `The image ${twin.id} has the same publisher, offer and sku.`);
    }
    return {
      body: withProperties(body, {
        osState: nonEmptyStringAt(body, "properties", "osState") ?? "Generalized",
        hyperVGeneration: nonEmptyStringAt(body, "properties", "hyperVGeneration") ?? "V1",
        architecture: nonEmptyStringAt(body, "properties", "architecture") ?? "x64",
      }),
    };
  },
};

export const galleryImageVersions: ResourceType = {
  namespace: "Microsoft.Compute",
  type: "galleries/images/versions",
  names: /^\d{1,9}\.\d{1,9}\.\d{1,9}$/,
  readOnly: ["replicationStatus"],
  prepare({ id, body, existing }, subscription) {
    const storageProfile = at(body, "properties", "storageProfile");
    if (storageProfile === undefined) {
      throw badRequest("InvalidParameter", `The image version ${id} needs 'properties.storageProfile'.`);
    }
    const location = nonEmptyStringAt(body, "location") ?? "";
    const regions = objectsAt(body, "properties", "publishingProfile", "targetRegions");
    return {
      body: withProperties(body, {
        publishingProfile: {
          replicaCount: 1,
          excludeFromLatest: false,
          storageAccountType: "Standard_LRS",
          ...members(at(body, "properties", "publishingProfile")),
          publishedDate: existing?.createdAt ?? timestamp(subscription),
          targetRegions: regions.length > 0 ? regions : [{ name: location, regionalReplicaCount: 1 }],
        },
      }),
    };
  },
};

function identifierOf(body: ResourceRecord["body"]): string | undefined {
  const parts = ["publisher", "offer", "sku"].map((name) =>
    nonEmptyStringAt(body, "properties", "identifier", name),
  );
  return parts.every((each) => each !== undefined) ? parts.join("/").toLowerCase() : undefined;
}

function checkEmpty(record: ResourceRecord, kind: string, subscription: Subscription): void {
  const [nested] = subscription.resources.inCollection(`${record.id}/${kind}`);
  if (!nested) return;
  throw new ArmError(
    409,
    "CannotDeleteResource",
    `Can not delete resource before nested resources are deleted: ${nested.id}.`,
  );
}

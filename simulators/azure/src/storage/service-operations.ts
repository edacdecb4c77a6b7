import type { JsonObject } from "@keelson/base";
import type { ResourceRecord } from "../arm/resource.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";
import type { BlobRequest } from "./blob-request.ts";
import type { BlobResponse } from "./blob-response.ts";
import { type Xml, xmlDocument } from "./blob-xml.ts";
import { containersOf, putContainer } from "./container-operations.ts";
import { listPage } from "./list-page.ts";
import { elementsIn, textOf } from "./request-xml.ts";
import type { StorageSubscription } from "./storage-subscription.ts";

/** Handles `GET ?comp=list`: lists the containers of an account. */
export function listContainers(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const prefix = request.query.get("prefix") ?? "";
  const rows = containersOf(subscription, request).filter(({ name }) => name.startsWith(prefix));
  const { page, nextMarker } = listPage(rows, ({ name }) => name, request.query);
  const containers = page.map((each) => ({
    Name: each.name,
    Properties: {
      "Last-Modified": new Date(each.changedAt).toUTCString(),
      Etag: `"${each.etag}"`,
      LeaseStatus: "unlocked",
      LeaseState: "available",
    },
  }));
  const EnumerationResults = {
    "@ServiceEndpoint": `https://${request.account}.blob.core.windows.net/`,
    Prefix: prefix,
    Containers: { Container: containers },
    NextMarker: nextMarker,
  };
  return { status: 200, body: xmlDocument({ EnumerationResults }) };
}

/** Handles `?restype=account`: returns the kind and SKU of the account. */
export function accountInformation(
  _subscription: StorageSubscription,
  { resource }: BlobRequest,
): BlobResponse {
  return {
    status: 200,
    headers: {
      "x-ms-sku-name": nonEmptyStringAt(resource?.body, "sku", "name") ?? "Standard_LRS",
      "x-ms-account-kind": nonEmptyStringAt(resource?.body, "kind") ?? "StorageV2",
    },
  };
}

/** Handles `GET ?restype=service&comp=properties`: returns the static website settings. */
export function serviceProperties(
  subscription: StorageSubscription,
  { resource }: BlobRequest,
): BlobResponse {
  const website = at(resource && blobServiceOf(subscription, resource)?.body, "properties", "staticWebsite");
  const text = (name: string): Xml | undefined => nonEmptyStringAt(website, name);
  const body = {
    Cors: "",
    StaticWebsite: {
      Enabled: String(at(website, "enabled") === true),
      IndexDocument: text("indexDocument"),
      ErrorDocument404Path: text("errorDocument404Path"),
    },
  };
  return { status: 200, body: xmlDocument({ StorageServiceProperties: body }) };
}

/** Handles `PUT ?restype=service&comp=properties`: configures the static website. Other settings are ignored. */
export function setServiceProperties(subscription: StorageSubscription, request: BlobRequest): BlobResponse {
  const { resource, body } = request;
  const service = resource && blobServiceOf(subscription, resource);
  const section = elementsIn(body, "StorageServiceProperties").find(({ name }) => name === "StaticWebsite");
  if (!service || !section) return { status: 202 };
  const text = (name: string) => textOf(section.children, name);
  const enabled = text("Enabled") === "true";
  const staticWebsite: JsonObject = {
    enabled,
    ...member("indexDocument", text("IndexDocument")),
    ...member("errorDocument404Path", text("ErrorDocument404Path")),
  };
  subscription.resources.put({ ...service, body: withProperties(service.body, { staticWebsite }) });
  if (enabled) putContainer(subscription, { ...request, container: "$web" }, {});
  return { status: 202 };
}

function member(name: string, value: string | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function blobServiceOf(
  subscription: StorageSubscription,
  account: ResourceRecord,
): ResourceRecord | undefined {
  return subscription.resources.find(`${account.id}/blobServices/default`);
}

import type { JsonObject } from "@keelson/base";
import { badRequest } from "./arm-error.ts";
import { type ArmResponse, ok } from "./exchange.ts";

/** Returns the cloud's endpoints for clients: `GET /metadata/endpoints`. No token is required. */
export function cloudMetadata(baseUrl: string, apiVersion: string | null): ArmResponse {
  switch (apiVersion) {
    case "2015-01-01":
      return ok({
        galleryEndpoint: `${baseUrl}/`,
        graphEndpoint: `${baseUrl}/`,
        portalEndpoint: `${baseUrl}/`,
        microsoftGraphResourceId: `${baseUrl}/`,
        authentication: { loginEndpoint: baseUrl, audiences: audiences(baseUrl) },
      });
    case "2019-05-01":
      return ok([cloud(baseUrl)]);
    case "2022-09-01":
      return ok(cloud(baseUrl));
    case null:
      throw badRequest(
        "MissingApiVersionParameter",
        "The api-version query parameter (?api-version=) is required for all requests.",
      );
    default:
      throw badRequest(
        "InvalidApiVersionParameter",
        `The api-version '${apiVersion}' is invalid. The supported versions are '2015-01-01,2019-05-01,2022-09-01'.`,
      );
  }
}

/** Returns the accepted audiences of ARM tokens, without a trailing slash. */
export function audiences(baseUrl: string): readonly string[] {
  return [baseUrl, "https://management.azure.com", "https://management.core.windows.net"];
}

function cloud(baseUrl: string): JsonObject {
  return {
    name: "Keelson",
    resourceManager: `${baseUrl}/`,
    portal: `${baseUrl}/`,
    gallery: `${baseUrl}/`,
    graph: `${baseUrl}/`,
    graphAudience: `${baseUrl}/`,
    microsoftGraphResourceId: `${baseUrl}/`,
    batch: `${baseUrl}/`,
    media: `${baseUrl}/`,
    sqlManagement: `${baseUrl}/`,
    vmImageAliasDoc: `${baseUrl}/`,
    activeDirectoryDataLake: `${baseUrl}/`,
    appInsightsResourceId: `${baseUrl}/`,
    logAnalyticsResourceId: `${baseUrl}/`,
    authentication: {
      loginEndpoint: baseUrl,
      audiences: audiences(baseUrl),
      // Terraform treats a cloud with any other `tenant` value as Azure Stack and rejects it.
      tenant: "common",
      identityProvider: "AAD",
    },
    suffixes: {
      storage: "keelson.local",
      keyVaultDns: "vault.keelson.local",
      acrLoginServer: "azurecr.keelson.local",
      sqlServerHostname: "database.keelson.local",
      azureDataLakeStoreFileSystem: "azuredatalakestore.keelson.local",
      azureDataLakeAnalyticsCatalogAndJob: "azuredatalakeanalytics.keelson.local",
    },
  };
}

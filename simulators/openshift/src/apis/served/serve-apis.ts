import type { AggregatedResource } from "@keelson/apiserver";
import type { ApiContext } from "../api-context.ts";
import { accessReviewResources } from "../authorization/access-reviews.ts";
import { roleViewResources } from "../authorization/role-views.ts";
import { rulesReviewResources } from "../authorization/rules-reviews.ts";
import { buildDefaults } from "../builds/build-defaults.ts";
import { buildResources } from "../builds/build-resources.ts";
import { withBuildSubresources } from "../builds/build-subresources.ts";
import { singletonAdmission } from "../config/singletons.ts";
import { imageResource, imageStreamAdmission, imageStreamResource } from "../images/image-stream.ts";
import { imageStreamImageResource } from "../images/image-stream-image.ts";
import { imageStreamImportResource } from "../images/image-stream-import.ts";
import { imageStreamMappingResource } from "../images/image-stream-mapping.ts";
import { imageStreamTagResource, imageTagResource } from "../images/image-stream-tag.ts";
import { userOfAccessToken } from "../oauth/access-token.ts";
import { oauthResources } from "../oauth/oauth-resources.ts";
import { oauthPaths } from "../oauth/oauth-server.ts";
import { userTokenResource } from "../oauth/user-tokens.ts";
import { publishedSchema } from "../openapi/published-schema.ts";
import { packageManifestResource } from "../packages/package-manifests.ts";
import { projectResource } from "../projects/project.ts";
import { projectRequestResource } from "../projects/project-request.ts";
import { appliedQuotaResource } from "../quotas/applied-quotas.ts";
import { routeAdmission, routeResource } from "../routes/route.ts";
import { podSecurityAdmission } from "../security/pod-security.ts";
import { securityReviewResources } from "../security/security-reviews.ts";
import { templateRequesterAdmission } from "../templates/template-requester.ts";
import { templateResources } from "../templates/template-resources.ts";
import { userResources } from "../users/user-resources.ts";
import { deployResources } from "../workloads/deploy-resources.ts";

/**
 * Adds OpenShift's APIs to a cluster: aggregated resources, defaulting and validation, and user tokens. The APIs stay registered
 * until the process exits.
 */
export function serveApis(context: ApiContext): void {
  const { logical, domain } = context;
  logical.declareResources(resourcesOf(context));
  for (const admission of [
    imageStreamAdmission(context),
    routeAdmission(domain),
    singletonAdmission,
    podSecurityAdmission(context),
    templateRequesterAdmission(logical),
    buildDefaults,
  ]) {
    logical.addAdmission(admission);
  }
  logical.declarePaths(oauthPaths(context));
  logical.addTokenAuthenticator((token) => userOfAccessToken(context, token));
}

function resourcesOf(context: ApiContext): readonly AggregatedResource[] {
  const resources: readonly AggregatedResource[] = [
    imageResource,
    imageStreamResource(context),
    imageStreamTagResource(context),
    imageTagResource(context),
    imageStreamImageResource(context),
    imageStreamImportResource(context),
    imageStreamMappingResource(context),
    ...templateResources,
    routeResource,
    projectResource(context),
    projectRequestResource(context),
    ...userResources(context),
    ...oauthResources,
    userTokenResource(context),
    ...roleViewResources(context),
    ...accessReviewResources(context),
    ...rulesReviewResources(context),
    ...securityReviewResources(context),
    ...buildResources.map(withBuildSubresources(context)),
    ...deployResources,
    packageManifestResource(context),
    appliedQuotaResource(context),
  ];
  return resources.map((each) => {
    const published = publishedSchema(each.group, each.kind);
    return each.schema || !published ? each : { ...each, publishedSchema: published };
  });
}

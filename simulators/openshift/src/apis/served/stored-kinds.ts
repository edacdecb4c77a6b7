import type { AggregatedResource } from "@keelson/apiserver";
import { buildResources } from "../builds/build-resources.ts";
import { imageResource, imageStreamKind } from "../images/image-stream.ts";
import { oauthResources } from "../oauth/oauth-resources.ts";
import { routeResource } from "../routes/route.ts";
import { templateResources } from "../templates/template-resources.ts";
import { userKinds } from "../users/user-resources.ts";
import { deployResources } from "../workloads/deploy-resources.ts";

/**
 * OpenShift resources that the simulation stores as objects, so manifests can create them. Excludes resources that the API server
 * computes for each request.
 */
export const storedKinds: readonly Pick<AggregatedResource, "group" | "version" | "kind" | "plural">[] = [
  imageResource,
  imageStreamKind,
  ...templateResources.filter(({ handlers }) => handlers === undefined),
  routeResource,
  ...userKinds,
  ...oauthResources,
  ...buildResources,
  ...deployResources,
];

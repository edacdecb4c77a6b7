import type { ResourceRef } from "@keelson/apiserver";
import type { Named } from "../failures.ts";

export const imageGroup = "image.openshift.io";
export const imageApiVersion = `${imageGroup}/v1`;

export const images: ResourceRef = { group: imageGroup, version: "v1", resource: "images" };
export const imageStreams: ResourceRef = { group: imageGroup, version: "v1", resource: "imagestreams" };

export const named = (resource: string): Named => ({ group: imageGroup, resource });

import { clusterScoped, namespaced } from "../../base/resources.ts";
import type { Named } from "../failures.ts";

export const imageGroup = "image.openshift.io";
export const imageApiVersion = `${imageGroup}/v1`;

export const images = clusterScoped(imageGroup, "v1", "images", "Image");
export const imageStreams = namespaced(imageGroup, "v1", "imagestreams", "ImageStream");

export const named = (resource: string): Named => ({ group: imageGroup, resource });

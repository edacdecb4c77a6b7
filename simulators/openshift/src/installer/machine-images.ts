import { CloudError } from "@keelson/arm";
import type { InstallContext, Release } from "@keelson/installers";

/**
 * Returns the machine images from the version document. If the version has no document, returns an empty object. If no machine
 * images are returned, callers use the published images.
 */
export async function machineImagesOf({
  release,
}: Pick<InstallContext, "release">): Promise<Pick<Release, "machineImages">> {
  try {
    return await release();
  } catch (error) {
    if (error instanceof CloudError && error.body.code === "InvalidParameter") return {};
    throw error;
  }
}

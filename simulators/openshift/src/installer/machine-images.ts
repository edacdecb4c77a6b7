import { CloudError } from "@keelson/arm";
import type { InstallContext, Release } from "@keelson/installers";

/** Returns the machine images in the version document. If the document contains none, returns the published images. */
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

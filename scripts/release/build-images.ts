import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

export interface ImageBuild {
  /** Directory with the sources. */
  readonly sources: string;
  /** Directory that receives the archives. */
  readonly directory: string;
  readonly version: string;
  readonly commit: string;
  /** Node.js image, as a name or with a digest. */
  readonly baseImage: string;
  /** Configuration of the npm registry. Default: the public registry. */
  readonly npmrc?: string;
}

/** Targets of deploy/Containerfile by image name. */
const targets = { keelson: "service", "keelson-dev": "dev" } as const;

/** Returns the reason why images cannot be built on this machine, or `undefined`. */
export function noBuilder(): string | undefined {
  try {
    execFileSync("buildah", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "buildah is not installed";
  }
}

/** Digest of the base image, in hexadecimal form, or the reason why the images were not built. */
export type ImageOutcome =
  | { readonly sha256: string; readonly failure?: undefined }
  | { readonly sha256?: undefined; readonly failure: string };

/** Builds the images like `buildImages`. If a command fails, removes incomplete archives and returns the reason. */
export function buildImagesIfPossible(build: ImageBuild): ImageOutcome {
  try {
    return { sha256: buildImages(build) };
  } catch (error) {
    for (const image of Object.keys(targets)) rmSync(archiveOf(build, image), { force: true });
    return { failure: reasonOf(error) };
  }
}

/** Returns the first line of the failed command's last error, because the rest repeats the command. */
function reasonOf(error: unknown): string {
  const output = error instanceof Error && "stderr" in error ? String(error.stderr ?? "") : "";
  const last = output.trim().split("\n").at(-1);
  return (last || (error instanceof Error ? error.message : String(error))).replace(/\.$/, "");
}

function archiveOf({ directory, version }: ImageBuild, image: string): string {
  return join(directory, `${image}-${version}.oci.tar`);
}

/**
 * Builds the images and writes them as OCI archives. Both images are built on the same digest of the base image.
 * @returns digest of the base image, in hexadecimal form
 */
function buildImages(build: ImageBuild): string {
  const { name, sha256 } = resolveBase(build.baseImage);
  for (const [image, target] of Object.entries(targets)) {
    const tag = `localhost/${image}:${build.version}`;
    buildah(
      "build",
      ...["--target", target, "--file", join(build.sources, "deploy/Containerfile"), "--tag", tag],
      ...["--build-arg", `NODE_IMAGE=${name}`, "--build-arg", `VERSION=${build.version}`],
      ...["--build-arg", `REVISION=${build.commit}`],
      ...(build.npmrc === undefined ? [] : ["--secret", `id=npmrc,src=${build.npmrc}`]),
      build.sources,
    );
    buildah("push", tag, `oci-archive:${archiveOf(build, image)}:${build.version}`);
  }
  return sha256;
}

/**
 * Pulls the base image if necessary. Returns the name to use in builds. The name includes the digest if the image comes from a
 * registry.
 */
function resolveBase(image: string): { readonly name: string; readonly sha256: string } {
  const isLocal = image.startsWith("localhost/");
  if (!isLocal) buildah("pull", "--quiet", image);
  const { FromImageDigest } = JSON.parse(buildah("inspect", "--type", "image", image));
  const sha256 = /^sha256:([0-9a-f]{64})$/.exec(FromImageDigest)?.[1];
  if (sha256 === undefined) throw new Error(`buildah reports no digest of the base image ${image}.`);
  const repository = image.replace(/@.*$/, "").replace(/:[^:/]+$/, "");
  return { name: isLocal ? image : `${repository}@sha256:${sha256}`, sha256 };
}

function buildah(...args: readonly string[]): string {
  return execFileSync("buildah", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 << 20,
  });
}

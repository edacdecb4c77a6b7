import { execFileSync } from "node:child_process";
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

/**
 * Builds the images and writes them as OCI archives. Both images are built on the same digest of the base image.
 * @returns digest of the base image, in hexadecimal form
 */
export function buildImages(build: ImageBuild): string {
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
    buildah(
      "push",
      tag,
      `oci-archive:${join(build.directory, `${image}-${build.version}.oci.tar`)}:${build.version}`,
    );
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
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 << 20,
  });
}

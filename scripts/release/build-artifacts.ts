import { execFileSync } from "node:child_process";
import { createHash, type KeyObject } from "node:crypto";
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { git } from "../git/git.ts";
import { packPublished } from "../pack/pack-published.ts";
import { writeSbom } from "../sbom.ts";
import { workspacePackages } from "../workspace/packages.ts";
import { buildImagesIfPossible, noBuilder } from "./build-images.ts";
import { releasedSection } from "./changelog.ts";
import { releaseNotes } from "./release-notes.ts";
import { currentVersion } from "./set-versions.ts";
import { signRelease } from "./sign-release.ts";
import { thirdPartyNotices } from "./third-party-notices.ts";

export interface ArtifactOptions {
  /** Empty directory that receives the files. */
  readonly directory: string;
  /** Ed25519 key. Default: the files are not signed. */
  readonly key?: KeyObject | undefined;
  /** Node.js image. Default: the image of deploy/Containerfile. */
  readonly baseImage?: string | undefined;
  readonly npmrc?: string | undefined;
  readonly source?: string | undefined;
  readonly builder: string;
  /** True if the build leaves out the container images. */
  readonly withoutImages: boolean;
  readonly report: (line: string) => void;
}

/**
 * Builds all files of the release at HEAD. If the images cannot be built, builds all other files first.
 * @throws Error if the working tree is dirty, HEAD is not a release, or the images were not built
 */
export async function buildArtifacts(root: string, options: ArtifactOptions): Promise<void> {
  const { directory, report } = options;
  const startedOn = new Date();
  const version = currentVersion(root);
  if (git(root, "status", "--porcelain") !== "")
    throw new Error("The working tree has changed files. Commit or remove them.");
  const section = releasedSection(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version);
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no section of ${version}. Run: make release VERSION=${version}`);
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0)
    throw new Error(`${directory} is not empty. Remove its files, or use a different directory.`);
  const commit = git(root, "rev-parse", "HEAD");
  using work = mkdtempDisposableSync(join(tmpdir(), "keelson-release-"));
  const sources = join(work.path, `keelson-${version}`);
  exportCommit(root, commit, sources);

  report("sources");
  const archive = join(directory, `keelson-${version}-src.tar.gz`);
  git(root, "archive", "--format=tar.gz", `--prefix=keelson-${version}/`, `--output=${archive}`, commit);
  report("npm packages");
  packPublished(root, directory);
  report("bill of materials");
  const sbom = join(directory, `keelson-${version}.cdx.json`);
  writeSbom(root, sbom);
  report("third-party notices");
  const own = new Set([...workspacePackages(root).values()].map(({ name }) => name));
  const notices = thirdPartyNotices(JSON.parse(readFileSync(sbom, "utf8")), root, own);
  writeFileSync(join(directory, "THIRD-PARTY-NOTICES.txt"), notices);

  const inputs: Record<string, string> = { "package-lock.json": sha256(join(root, "package-lock.json")) };
  const baseImage = options.baseImage ?? defaultBaseImage(root);
  let failure: string | undefined;
  const why = options.withoutImages ? "--without-images" : noBuilder();
  if (why === undefined) {
    report("images");
    const { npmrc } = options;
    const build = {
      sources,
      directory,
      version,
      commit,
      baseImage,
      ...(npmrc === undefined ? {} : { npmrc }),
    };
    const images = buildImagesIfPossible(build);
    if (images.sha256 === undefined) failure = images.failure;
    else inputs[baseImage] = images.sha256;
  }
  if (why ?? failure) report(`no images: ${why ?? failure}`);

  report("release notes");
  const files = readdirSync(directory).toSorted();
  writeFileSync(join(directory, "RELEASE-NOTES.md"), releaseNotes({ version, section, files }));
  report(options.key ? "provenance, checksums and signature" : "checksums");
  const { source, builder } = options;
  const build = { version, commit, builder, inputs, startedOn, finishedOn: new Date() };
  await signRelease(directory, source === undefined ? build : { ...build, source }, options.key);
  report(`${readdirSync(directory).length} files in ${basename(directory)}`);
  if (failure !== undefined)
    throw new Error(
      `The images were not built: ${failure}. All other files are complete. Use --without-images to release without images.`,
    );
}

/** Returns the Node.js image that deploy/Containerfile names. */
function defaultBaseImage(root: string): string {
  const containerfile = readFileSync(join(root, "deploy/Containerfile"), "utf8");
  const [, image] = /^ARG NODE_IMAGE=(\S+)$/m.exec(containerfile) ?? [];
  if (image === undefined) throw new Error("deploy/Containerfile has no default of NODE_IMAGE.");
  return image;
}

function exportCommit(root: string, commit: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  const archive = execFileSync("git", ["archive", "--format=tar", commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync("tar", ["--extract", "--directory", directory], { input: archive });
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

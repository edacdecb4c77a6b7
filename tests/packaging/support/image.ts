import { execFile } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Program } from "../../e2e/support/program.ts";
import { startChrootUnit } from "./chroot-unit.ts";
import { Podman } from "./podman.ts";
import { isSource } from "./sources.ts";
import { parseUnitCommand } from "./unit-command.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../../..");

/** User ID of the image. */
const user = 65532;

/** Archive of the essential Debian packages that `scripts/install-clients.sh` downloads. */
export const debianRoot = join(root, ".tools/clients/debian-root.tar");

export interface ImageConfig {
  readonly User: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Entrypoint: readonly string[];
  readonly Env: readonly string[];
  readonly Cmd?: readonly string[];
  readonly ExposedPorts?: Readonly<Record<string, object>>;
}

/** Targets of `deploy/Containerfile`. */
export type Target = "service" | "dev";

const names: Readonly<Record<Target, string>> = {
  service: "localhost/keelson",
  dev: "localhost/keelson-dev",
};

/** Image that buildah builds from `deploy/Containerfile`, and one container of it. */
export class Image implements AsyncDisposable {
  readonly config: ImageConfig;
  readonly bytes: number;
  readonly #name: string;
  readonly #buildah: Buildah;
  readonly #container: string;
  /** Directory with the container's file system. */
  readonly #root: string;

  private constructor(
    name: string,
    buildah: Buildah,
    config: ImageConfig,
    bytes: number,
    container: string,
    mounted: string,
  ) {
    this.#name = name;
    this.#buildah = buildah;
    this.config = config;
    this.bytes = bytes;
    this.#container = container;
    this.#root = mounted;
  }

  static async build(target: Target = "service"): Promise<Image> {
    const name = names[target];
    const buildah = new Buildah();
    try {
      const node = await buildah.nodeImage();
      const sources = buildah.file("sources");
      cpSync(root, sources, { recursive: true, filter: (path) => isSource(relative(root, path)) });
      await buildah.run(
        "build",
        ...chroot,
        "--network",
        "host",
        "--secret",
        `id=npmrc,src=${buildah.npmrc()}`,
        "--build-arg",
        `NODE_IMAGE=${node}`,
        "--build-arg",
        "VERSION=1.2.3",
        "--target",
        target,
        "--file",
        join(sources, "deploy/Containerfile"),
        "--tag",
        name,
        sources,
      );
      const [image] = JSON.parse(await buildah.run("images", "--json", name));
      const { OCIv1 } = JSON.parse(await buildah.run("inspect", "--type", "image", name));
      const container = (await buildah.run("from", name)).trim();
      const mounted = (await buildah.run("mount", container)).trim();
      // Creates `/etc/hosts`, as every container engine does at the start of a container.
      writeFileSync(join(mounted, "etc/hosts"), "127.0.0.1 localhost\n");
      const bytes = globSync("keelson/**/*", { cwd: mounted, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
      if (!image) throw new Error("buildah lists no image");
      return new Image(name, buildah, OCIv1.config, bytes, container, mounted);
    } catch (error) {
      await buildah[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Runs a command in the container with the image's user. */
  exec(...command: readonly string[]): Promise<string> {
    return this.#buildah.run("run", ...chroot, "--network", "host", this.#container, "--", ...command);
  }

  /**
   * Starts the image's program with the host network. Uses `chroot` instead of `buildah run`, because buildah kills its child
   * process and does not forward signals.
   */
  start(...args: readonly string[]): Program {
    const environment = ["env", "-i", ...this.config.Env];
    return Program.startCommand(
      "chroot",
      `--userspec=${this.config.User}`,
      this.#root,
      ...environment,
      "keelson",
      ...args,
    );
  }

  /** Starts the command of a systemd unit without podman, but with the unit's options. */
  startUnit(command: string): Program {
    return startChrootUnit(this.#root, this.config.Env, parseUnitCommand(command));
  }

  /**
   * Returns a podman runner with the options of the systemd unit. If this machine cannot run podman, returns the reason instead.
   */
  async podman(): Promise<Podman | { readonly missing: string }> {
    return Podman.find(this.#buildah.storage, this.#name);
  }

  /** Copies host files into the container with the same paths. The copied directories belong to the image's user. */
  copyIn(paths: readonly string[]): void {
    for (const path of paths) {
      const inside = join(this.#root, path);
      mkdirSync(dirname(inside), { recursive: true });
      cpSync(path, inside);
      for (const each of [inside, dirname(inside)]) chownSync(each, user, user);
    }
  }

  /** Returns the files below a directory of the image, relative to this directory. */
  files(directory: string): readonly string[] {
    return globSync("**/*", { cwd: join(this.#root, directory) });
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), "utf8");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#buildah[Symbol.asyncDispose]();
  }
}

/** Isolates containers only with a separate root directory, without namespaces. buildah then also works inside a container. */
const chroot = ["--isolation", "chroot"] as const;

/**
 * True if buildah failed at its start because of EBUSY. buildah copies its executable to a memfd and seals the copy. Under load,
 * the kernel may still reference a page of the copy and reject the seal.
 */
function couldNotSealItself(error: unknown): boolean {
  return error instanceof Error && error.message.includes("sealing memfd copy: Device or resource busy");
}

class Buildah implements AsyncDisposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "keelson-buildah-"));

  file(name: string): string {
    return join(this.#directory, name);
  }

  get storage(): readonly string[] {
    return ["--root", this.file("storage"), "--runroot", this.file("run")];
  }

  async run(command: string, ...args: readonly string[]): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        const { stdout } = await run("buildah", [...this.storage, command, ...args], { maxBuffer: 64 << 20 });
        return stdout;
      } catch (error) {
        if (attempt === 20 || !couldNotSealItself(error)) throw error;
        await delay(100 * attempt);
      }
    }
  }

  /** Builds the registry's Node.js image from Debian and npm packages. @returns the image name */
  async nodeImage(): Promise<string> {
    const modules = this.file("npm");
    const node = process.execPath;
    await run("npm", ["install", "--prefix", modules, "--no-audit", "--no-fund", "--no-save", "npm@11"]);
    const container = (await this.run("from", "scratch")).trim();
    await this.run("add", container, debianRoot, "/");
    await this.run("copy", container, node, "/usr/local/bin/node");
    await this.run("copy", container, join(modules, "node_modules/npm"), "/usr/local/lib/node_modules/npm");
    const authorities = process.env.NODE_EXTRA_CA_CERTS;
    if (authorities) await this.run("copy", container, authorities, authoritiesInside);
    const link =
      "ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && chmod 755 /usr/local/lib/node_modules/npm/bin/npm-cli.js";
    await this.run("run", ...chroot, container, "--", "sh", "-c", link);
    await this.run("config", "--env", "PATH=/usr/local/bin:/usr/bin:/bin", container);
    await this.run("commit", "--quiet", "--rm", container, "localhost/node");
    return "localhost/node";
  }

  /** Returns the npm registry configuration of this machine. */
  npmrc(): string {
    const own = join(homedir(), ".npmrc");
    const authorities = process.env.NODE_EXTRA_CA_CERTS ? `cafile=${authoritiesInside}\n` : "";
    writeFileSync(this.file("npmrc"), `${existsSync(own) ? readFileSync(own, "utf8") : ""}\n${authorities}`, {
      mode: 0o600,
    });
    return this.file("npmrc");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run("rm", "--all");
    await this.run("rmi", "--all", "--force");
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

const authoritiesInside = "/etc/ssl/certs/of-the-build.pem";

import type { MirrorOptions } from "./mirror-options.ts";
import { errors } from "./registry/errors.ts";
import type { ImageReference } from "./registry/image-reference.ts";
import { Registry } from "./registry/registry.ts";
import { type Access, Repository } from "./registry/repository.ts";

type Options = Pick<MirrorOptions, "registries" | "limits" | "clock" | "userAgent">;

/** Configured registries. A connection is opened on first use. */
export class Registries implements AsyncDisposable {
  readonly #options: Options;
  readonly #open = new Map<string, Registry>();

  constructor(options: Options) {
    this.#options = options;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open.values()].map((each) => each[Symbol.asyncDispose]()));
  }

  /**
   * Returns a repository of a configured registry.
   * @throws HostNotAllowed for a registry that is not configured. A release can reference any registry
   */
  repository(
    { registry, repository }: Pick<ImageReference, "registry" | "repository">,
    access: Access,
  ): Repository {
    return new Repository(this.#open.get(registry) ?? this.#connect(registry), repository, access);
  }

  #connect(host: string): Registry {
    const { registries, limits, clock, userAgent } = this.#options;
    const settings = Object.hasOwn(registries, host) ? registries[host] : undefined;
    if (!settings) {
      throw errors.HostNotAllowed(
        `registry ${host} is not one of the configuration: add it to "registries" if it is right`,
      );
    }
    const registry = new Registry({
      registry: host,
      ...settings,
      attempts: limits.attempts,
      clock,
      userAgent,
    });
    this.#open.set(host, registry);
    return registry;
  }
}

import { type KubeObject, StatusError } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { resources } from "../../base/resources.ts";
import type { ApiContext } from "../api-context.ts";
import { type ImageReference, parseImageReference } from "./image-reference.ts";

interface HostAndPort {
  readonly host: string;
  readonly port: string;
}

/** Maximum number of registries in an error message. */
const mostNamed = 5;

/**
 * Registries allowed for image imports, from `allowedRegistriesForImport` of Image `cluster`. Each entry is a host pattern with
 * `*` and `?` and an optional port. The default port depends on the protocol (openshift/openshift-apiserver,
 * RegistryWhitelister).
 */
export class AllowedRegistries {
  readonly #allowed: readonly HostAndPort[];

  /** Without entries, all registries are allowed. */
  constructor(domains: readonly { readonly domainName: string; readonly insecure: boolean }[]) {
    this.#allowed = domains.map(({ domainName, insecure }) => {
      const [host = "", port] = domainName.split(":");
      return { host, port: port ?? (insecure ? "80" : "443") };
    });
  }

  /** Reads the allowed registries of a cluster. The cluster's internal registry is always allowed. */
  static async of({ client }: ApiContext, own: string): Promise<AllowedRegistries> {
    const config = await imageConfig(client);
    const domains = listAt(config, "spec", "allowedRegistriesForImport").map((each) => ({
      domainName: stringAt(each, "domainName") ?? "",
      insecure: valueAt(each, "insecure") === true,
    }));
    return new AllowedRegistries(
      domains.length > 0 ? [{ domainName: own, insecure: false }, ...domains] : [],
    );
  }

  get allowsAll(): boolean {
    return this.#allowed.length === 0;
  }

  /**
   * Returns the reason to reject the import of an image. `undefined` if the import is allowed. If `insecure` is true, an allowed
   * entry with port 80 or 443 matches a reference without a port.
   */
  refusal(reference: ImageReference, insecure: boolean): string | undefined {
    if (this.allowsAll) return undefined;
    const docker = reference.registry === "docker.io";
    const [host = "", given] = (docker ? "registry-1.docker.io" : reference.registry).split(":");
    const port = given ?? (insecure ? "" : "443");
    if ((docker && this.#allows("docker.io", port)) || this.#allows(host, port)) return undefined;
    const named = this.#allowed.map((each) => JSON.stringify(`${each.host}:${each.port}`));
    const list =
      named.length <= mostNamed
        ? named.join(", ")
        : `${named.slice(0, mostNamed - 1).join(", ")}, and ${named.length - mostNamed + 1} more ...`;
    return `registry ${JSON.stringify(reference.registry)} not allowed by whitelist: ${list}`;
  }

  #allows(host: string, port: string): boolean {
    return this.#allowed.some(
      (each) =>
        matchesWildcard(host, each.host) &&
        (port === "" ? ["80", "443", "*"].includes(each.port) : matchesWildcard(port, each.port)),
    );
  }
}

/** Returns the repository of an image without tag and digest. */
export function repositoryOf(text: string): string | undefined {
  const reference = parseImageReference(text);
  return reference && `${reference.registry}/${reference.repository}`;
}

/**
 * True if a string matches a pattern. `*` matches any number of characters, and `?` matches exactly one character. The run time
 * is at most proportional to the product of the lengths of both strings.
 */
function matchesWildcard(text: string, pattern: string): boolean {
  let reached = new Set([0]);
  for (const letter of pattern) {
    if (letter === "*") {
      const first = Math.min(...reached);
      reached = new Set(Array.from({ length: text.length - first + 1 }, (_, index) => first + index));
    } else {
      const next = [...reached].filter(
        (index) => index < text.length && (letter === "?" || text[index] === letter),
      );
      reached = new Set(next.map((index) => index + 1));
    }
    if (reached.size === 0) return false;
  }
  return reached.has(text.length);
}

/** Reads the image configuration. `undefined` if the object or its kind does not exist yet. */
async function imageConfig(client: ApiContext["client"]): Promise<KubeObject | undefined> {
  try {
    return await client.find(resources.imageConfigs, { name: "cluster" });
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}

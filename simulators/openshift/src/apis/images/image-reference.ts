/** Parsed reference to a container image. The grammar is that of the library distribution/reference, with Docker's defaults. */
export interface ImageReference {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  /** Digest: `sha256:…`. Empty if the reference has a tag. */
  readonly digest: string;
}

/**
 * Parses `ruby`, `quay.io/team/app:1.0` and `host:5000/a/b@sha256:…`. `undefined` for an invalid reference.
 */
export function parseImageReference(text: string): ImageReference | undefined {
  const match =
    /^(?<path>[a-zA-Z0-9][a-zA-Z0-9._:/-]*?)(?::(?<tag>[\w][\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/.exec(
      text,
    );
  const { path = "", tag = "", digest = "" } = match?.groups ?? {};
  if (!path || path.endsWith("/") || path.includes("//")) return undefined;
  const slash = path.indexOf("/");
  const first = path.slice(0, Math.max(slash, 0));
  const named = /[.:]/.test(first) || first === "localhost";
  const rest = named ? path.slice(slash + 1) : path;
  return {
    registry: named ? first : "docker.io",
    repository: named || rest.includes("/") ? rest : `library/${rest}`,
    tag: tag || (digest ? "" : "latest"),
    digest,
  };
}

/** Formats a reference with all its components. */
export function formatImageReference({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${digest ? `@${digest}` : `:${tag}`}`;
}

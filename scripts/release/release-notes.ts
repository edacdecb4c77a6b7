interface Notes {
  readonly version: string;
  /** Section of the changelog, without its heading. */
  readonly section: string;
  /** Names of the files, without signatures. */
  readonly files: readonly string[];
}

/** Descriptions of files by a pattern of their names. */
const descriptions: readonly (readonly [RegExp, string])[] = [
  [/^keelson-dev-.*\.oci\.tar$/, "image with everything of `keelson up`, as an OCI archive"],
  [/\.oci\.tar$/, "image of the service, as an OCI archive"],
  [/-src\.tar\.gz$/, "sources"],
  [/\.tgz$/, "npm package"],
  [/\.cdx\.json$/, "software bill of materials (CycloneDX)"],
  [/^THIRD-PARTY-NOTICES/, "licenses of third-party packages"],
];

/** Returns the release notes: files, verification and changes. */
export function releaseNotes({ version, section, files }: Notes): string {
  const rows = files.map((name) => {
    const [, description = ""] = descriptions.find(([pattern]) => pattern.test(name)) ?? [];
    return `| ${name} | ${description} |`;
  });
  return `# Keelson ${version}

| file | content |
|---|---|
${rows.join("\n")}

Verify the files before you use them:

    openssl pkeyutl -verify -pubin -inkey release.pub -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
    sha256sum --check --ignore-missing SHA256SUMS

Check the fingerprint of release.pub first. docs/releases.md documents the provenance and the compatibility promise.

${section.replace(/\]\((?!https?:)([^)]+)\)/g, "]")}
`;
}

export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
}

/**
 * Parses a semantic version. The error messages appear in conditions and have the wording of blang/semver.
 * @throws Error for an invalid version
 */
export function parseSemanticVersion(text: string): SemanticVersion {
  if (text === "") throw new Error("Version string empty");
  const [majorText, minorText, rest] = splitThree(text);
  const major = numberOf(majorText, "major", "Major");
  const minor = numberOf(minorText, "minor", "Minor");
  const [beforeBuild, build] = splitAt(rest, "+");
  const [patch, prerelease] = splitAt(beforeBuild, "-");
  numberOf(patch, "patch", "Patch");
  for (const part of prerelease?.split(".") ?? []) requirePrerelease(part);
  for (const part of build?.split(".") ?? []) {
    if (part === "") throw new Error("Build meta data is empty");
    if (!isAlphanumeric(part))
      throw new Error(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return { major, minor };
}

function splitThree(text: string): readonly [string, string, string] {
  const [major, minor, ...rest] = text.split(".");
  if (major === undefined || minor === undefined || rest.length === 0)
    throw new Error("No Major.Minor.Patch elements found");
  return [major, minor, rest.join(".")];
}

function splitAt(text: string, separator: string): readonly [string, string?] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function numberOf(text: string, name: string, capitalized: string): number {
  if (!/^\d*$/.test(text))
    throw new Error(`Invalid character(s) found in ${name} number ${JSON.stringify(text)}`);
  if (/^0\d/.test(text))
    throw new Error(`${capitalized} number must not contain leading zeroes ${JSON.stringify(text)}`);
  if (text === "") throw new Error('strconv.ParseUint: parsing "": invalid syntax');
  if (BigInt(text) >= 2n ** 64n)
    throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(text);
}

function requirePrerelease(part: string): void {
  if (part === "") throw new Error("Prerelease is empty");
  if (!isAlphanumeric(part))
    throw new Error(`Invalid character(s) found in prerelease ${JSON.stringify(part)}`);
  if (/^0\d+$/.test(part))
    throw new Error(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`);
}

function isAlphanumeric(text: string): boolean {
  return /^[0-9A-Za-z-]+$/.test(text);
}

/** Section of a changelog in the format of Keep a Changelog, without its heading. */
interface Section {
  readonly title: string;
  readonly body: string;
}

export interface Release {
  readonly version: string;
  /** Date in the form YYYY-MM-DD. */
  readonly date: string;
}

/** Returns the reasons why the section "Unreleased" cannot be released as `version`. Empty if it can. */
export function changelogProblems(changelog: string, version: string): readonly string[] {
  const [first, ...released] = sections(changelog);
  if (first?.title !== "Unreleased")
    return ['CHANGELOG.md: the first section is not "## Unreleased". Add it above the newest version.'];
  const problems: string[] = [];
  if (entries(first.body).length === 0)
    problems.push('CHANGELOG.md: "Unreleased" has no entry. Add a line for each user-visible change.');
  for (const [heading, body] of groups(first.body))
    if (entries(body).length === 0) problems.push(`CHANGELOG.md: "### ${heading}" has no entry. Remove it.`);
  if (released.some(({ title }) => title.split(" ")[0] === version))
    problems.push(`CHANGELOG.md: a section of ${version} exists. Choose a newer version.`);
  const known = new Set(released.flatMap(({ body }) => entries(body)));
  for (const entry of entries(first.body).filter((each) => known.has(each)))
    problems.push(`CHANGELOG.md: "Unreleased" repeats an entry of a released version. Remove it: ${entry}`);
  return problems;
}

/** Moves the entries of "Unreleased" into a new section of the release. */
export function releaseChangelog(changelog: string, { version, date }: Release): string {
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} - ${date}`);
}

/** Returns the section of a version, or `undefined` if the changelog has none. */
export function releasedSection(changelog: string, version: string): string | undefined {
  return sections(changelog)
    .find(({ title }) => title.split(" ")[0] === version)
    ?.body.trim();
}

function sections(changelog: string): readonly Section[] {
  return split(changelog, "## ").map(([title, body]) => ({ title, body }));
}

function groups(body: string): readonly (readonly [heading: string, body: string])[] {
  return split(body, "### ");
}

/** Splits Markdown at headings that begin with `mark`. Omits the lines before the first heading. */
function split(markdown: string, mark: string): readonly (readonly [title: string, body: string])[] {
  const found: [string, string][] = [];
  for (const line of markdown.split("\n")) {
    const last = found.at(-1);
    if (line.startsWith(mark)) found.push([line.slice(mark.length).trim(), ""]);
    else if (last) last[1] += `${line}\n`;
  }
  return found;
}

/** Returns the list items, each joined into one line. */
function entries(body: string): readonly string[] {
  return body
    .split(/^(?=- |#)/m)
    .filter((each) => each.startsWith("- "))
    .map((each) => each.trim().replace(/\s+/g, " "));
}

import { fleetPages } from "../../services/portal-web/src/navigation/fleet-pages.ts";
import { tabNames, tabPath } from "../../services/portal-web/src/navigation/tabs.ts";
import { pageTitles } from "../../simulators/console/src/pages/shell/page-titles.ts";

/** Maximum size of all screenshots, in bytes. */
export const maxTotalBytes = 3 * 1_048_576;

/** Browser window of a screenshot. */
export interface Window {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: "light" | "dark";
}

export const windows: readonly Window[] = [
  { name: "light", width: 1_440, height: 900, colorScheme: "light" },
  { name: "dark", width: 1_440, height: 900, colorScheme: "dark" },
  { name: "narrow", width: 390, height: 844, colorScheme: "light" },
];

/** Page of which screenshots are made. */
export interface ShownPage {
  /** Start of the file names, for example `portal-nodes`. */
  readonly name: string;
  readonly path: string;
}

/**
 * Returns the portal's pages. `cluster` is the path of the cluster that the cluster pages show. The routes come from the portal's
 * code.
 */
export function portalPages(cluster: string): readonly ShownPage[] {
  return [
    ...fleetPages.map(({ title, path }) => ({ name: `portal-fleet-${wordOf(title)}`, path })),
    ...tabNames.map((name) => ({ name: `portal-${tabPath(name)}`, path: `${cluster}/${tabPath(name)}` })),
  ];
}

/** Pages of the console. The routes come from the console's code. */
export const consolePages: readonly ShownPage[] = Object.entries(pageTitles).map(([path, title]) => ({
  name: `console-${wordOf(title)}`,
  path,
}));

export function fileOf({ name }: ShownPage, window: Window): string {
  return `${name}-${window.name}.webp`;
}

/** Returns the file names of all screenshots. */
export function screenshotFiles(): readonly string[] {
  return [...portalPages(""), ...consolePages].flatMap((page) => windows.map((each) => fileOf(page, each)));
}

function wordOf(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}

/** Page titles by path. */
export const pageTitles = {
  "/": "Clusters",
  "/resources": "Azure resources",
  "/requests": "Requests",
  "/directory": "Directory",
  "/faults": "Faults",
  "/clock": "Clock",
  "/orphans": "Orphans",
} as const;

export type PagePath = keyof typeof pageTitles;

export const isPagePath = (path: string): path is PagePath => Object.hasOwn(pageTitles, path);

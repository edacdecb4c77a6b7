/** Page titles by path. */
export const pageTitles: Readonly<Record<string, string>> = {
  "/": "Clusters",
  "/resources": "Azure resources",
  "/requests": "Requests",
  "/directory": "Directory",
  "/faults": "Faults",
  "/clock": "Clock",
  "/orphans": "Orphans",
};

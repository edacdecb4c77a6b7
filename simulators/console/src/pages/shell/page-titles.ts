/** Titles of the pages by their paths. */
export const pageTitles: Readonly<Record<string, string>> = {
  "/": "Clusters",
  "/resources": "Azure resources",
  "/requests": "Requests",
  "/directory": "Directory",
  "/faults": "Faults",
  "/clock": "Clock",
  "/orphans": "Orphans",
};

import { fileURLToPath } from "node:url";

/** The folder of the catalogues that come with the operator. */
export const shippedCatalogues = fileURLToPath(new URL("../../content", import.meta.url));

import { fileURLToPath } from "node:url";

/** Directory of the catalogues that are part of the operator. */
export const shippedCatalogues = fileURLToPath(new URL("../../content", import.meta.url));

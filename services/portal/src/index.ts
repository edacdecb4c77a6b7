export { type Portal, type PortalOptions, startPortal } from "./start-portal.ts";

export { assertKeepAlive } from "./keep-alive.ts";

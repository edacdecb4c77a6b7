export { clientHelloFor } from "./client-hello.ts";
export { assertKeepAlive } from "./keep-alive.ts";

export { Readings } from "./readings.ts";

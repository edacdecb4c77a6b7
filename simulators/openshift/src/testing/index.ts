export { openShiftCrds } from "../crds/openshift-crds.ts";
export { eventually } from "./eventually.ts";

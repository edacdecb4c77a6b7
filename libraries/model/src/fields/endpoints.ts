import { type Field, list, object, text } from "./field.ts";

const visibility = { values: ["Public", "Private"] };
const filledByService = {
  filledIn: true,
  readOnly: { since: "2023-11-22", sent: "refused unless empty" },
} as const;

/** Fields for the endpoints of the API server and of applications. */
export const endpointFields: readonly Field[] = [
  object("properties.apiserverProfile", "always"),
  text("properties.apiserverProfile.visibility", visibility),
  text("properties.apiserverProfile.url", filledByService),
  text("properties.apiserverProfile.ip", filledByService),
  list("properties.ingressProfiles"),
  text("properties.ingressProfiles[].name"),
  text("properties.ingressProfiles[].visibility", visibility),
  text("properties.ingressProfiles[].ip", filledByService),
];

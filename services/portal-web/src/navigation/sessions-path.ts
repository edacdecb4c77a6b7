/** Path of the page with a person's sessions. */
export const sessionsPath = "/sessions";

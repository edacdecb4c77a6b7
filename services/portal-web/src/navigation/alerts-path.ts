/** Path of the page with the alerts of all clusters. */
export const alertsPath = "/alerts";

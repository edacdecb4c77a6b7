import type { ConfigObserver } from "@keelson/operator-kit";
import { argumentPath, withArguments } from "./arguments.ts";
import { authenticationInput, findAuthentication } from "./authentication.ts";

/** Admission plugins that work only with users and groups of the integrated OAuth server. */
const roleBindingRestriction = [
  "authorization.openshift.io/RestrictSubjectBindings",
  "authorization.openshift.io/ValidateRoleBindingRestriction",
];

export const observeAdmissionPlugins: ConfigObserver = {
  name: "ObserveAdmissionPlugins",
  paths: [argumentPath("enable-admission-plugins"), argumentPath("disable-admission-plugins")],
  inputs: [authenticationInput],
  observe({ objects }) {
    const authentication = findAuthentication(objects);
    if (!authentication) throw new Error("authentications.config.openshift.io/cluster: not found");
    const { type } = authentication;
    if (type === "IntegratedOAuth")
      return { config: withArguments({ "enable-admission-plugins": roleBindingRestriction }) };
    if (type === "None" || type === "OIDC")
      return { config: withArguments({ "disable-admission-plugins": roleBindingRestriction }) };
    throw new Error(
      `authentications.config.openshift.io/cluster: spec.type ${JSON.stringify(type)} is not supported`,
    );
  },
};

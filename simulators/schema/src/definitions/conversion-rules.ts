import { X509Certificate } from "node:crypto";
import { fieldError, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { stringsAt, valueAt } from "@keelson/base";
import { dns1035Label } from "../custom/dns-names.ts";

const path = "spec.conversion";
const clientConfig = `${path}.webhookClientConfig`;
const reviewVersions = `${path}.conversionReviewVersions`;

/** Returns the validation errors of a definition's conversion. The errors contain internal field names, as in Kubernetes. */
export function validateConversion(conversion: unknown, before: unknown): readonly StatusCause[] {
  if (conversion === undefined) return [];
  const strategy = scalarStringAt(conversion, "strategy");
  const webhook = valueAt(conversion, "webhook");
  if (!strategy) return [fieldError.required(`${path}.strategy`)];
  if (strategy !== "None" && strategy !== "Webhook") {
    return [fieldError.notSupported(`${path}.strategy`, strategy, ["None", "Webhook"])];
  }
  if (strategy === "None") {
    const why = "should not be set when strategy is not set to Webhook";
    return [
      ...(valueAt(webhook, "clientConfig") === undefined ? [] : [fieldError.forbidden(clientConfig, why)]),
      ...(stringsAt(webhook, "conversionReviewVersions").length === 0
        ? []
        : [fieldError.forbidden(reviewVersions, why)]),
    ];
  }
  return [
    ...validateClientConfig(
      valueAt(webhook, "clientConfig"),
      scalarStringAt(before, "webhook", "clientConfig", "caBundle"),
    ),
    ...validateReviewVersions(stringsAt(webhook, "conversionReviewVersions")),
  ];
}

function validateClientConfig(config: unknown, bundleBefore: string): readonly StatusCause[] {
  if (config === undefined)
    return [fieldError.required(clientConfig, "required when strategy is set to Webhook")];
  const url = valueAt(config, "url");
  const service = valueAt(config, "service");
  if ((url === undefined) === (service === undefined)) {
    return [fieldError.required(clientConfig, "exactly one of url or service is required")];
  }
  return [
    ...(url === undefined ? validateService(service) : validateUrl(scalarStringAt(config, "url"))),
    ...validateBundle(scalarStringAt(config, "caBundle"), bundleBefore),
  ];
}

function validateUrl(text: string): readonly StatusCause[] {
  const field = `${clientConfig}.url`;
  const url = URL.parse(text);
  const form = "; desired format: https://host[/path]";
  if (!url) return [fieldError.required(field, `url must be a valid URL${form}`)];
  const invalid = (why: string) => fieldError.invalid(field, text, `${why}${form}`);
  return [
    ...(url.protocol === "https:"
      ? []
      : [
          fieldError.invalid(
            field,
            url.protocol.slice(0, -1),
            `'https' is the only allowed URL scheme${form}`,
          ),
        ]),
    ...(url.hostname ? [] : [invalid("host must be specified")]),
    ...(url.username || url.password ? [invalid("user information is not permitted in the URL")] : []),
    ...(url.hash ? [invalid("fragments are not permitted in the URL")] : []),
    ...(url.search ? [invalid("query parameters are not permitted in the URL")] : []),
  ];
}

function validateService(service: unknown): readonly StatusCause[] {
  const field = `${clientConfig}.service`;
  const port = valueAt(service, "port");
  const servicePath = scalarStringAt(service, "path");
  return [
    ...(scalarStringAt(service, "name")
      ? []
      : [fieldError.required(`${field}.name`, "service name is required")]),
    ...(scalarStringAt(service, "namespace")
      ? []
      : [fieldError.required(`${field}.namespace`, "service namespace is required")]),
    ...(port === undefined || (typeof port === "number" && port >= 1 && port <= 65_535)
      ? []
      : [
          fieldError.invalid(
            `${field}.port`,
            port,
            "port is not valid: must be between 1 and 65535, inclusive",
          ),
        ]),
    ...(servicePath === "" || servicePath.startsWith("/")
      ? []
      : [fieldError.invalid(`${field}.path`, servicePath, "must start with a '/'")]),
  ];
}

export function isCertificateBundle(bundle: string): boolean {
  try {
    return new X509Certificate(Buffer.from(bundle, "base64")).raw.length > 0;
  } catch {
    return false;
  }
}

/**
 * Validates a CA bundle. In a new definition, the bundle may be invalid, because it is often set later. A valid bundle must
 * remain valid.
 */
function validateBundle(bundle: string, before: string): readonly StatusCause[] {
  if (!bundle || isCertificateBundle(bundle) || !isCertificateBundle(before)) return [];
  const why = "unable to load root certificates: unable to parse bytes as PEM block";
  return [fieldError.invalid(`${clientConfig}.caBundle`, bundle, why)];
}

function validateReviewVersions(versions: readonly string[]): readonly StatusCause[] {
  if (versions.length === 0) return [fieldError.required(reviewVersions)];
  const causes = versions.flatMap((version, at) => {
    const field = `${reviewVersions}[${at}]`;
    if (versions.indexOf(version) < at) return [fieldError.invalid(field, version, "duplicate version")];
    const wrong = dns1035Label(version);
    return wrong ? [fieldError.invalid(field, version, wrong)] : [];
  });
  if (versions.some((version) => version === "v1" || version === "v1beta1")) return causes;
  return [
    ...causes,
    fieldError.invalid(reviewVersions, versions, "must include at least one of v1, v1beta1"),
  ];
}

import type { SecureVersion } from "node:tls";
import { isPlainObject, listAt, messageOf, stringAt, valueAt } from "@keelson/base";
import { parse } from "yaml";
import { cipherSuiteNames } from "./cipher-suites.ts";

/** Settings of an operator's HTTPS server, from the field `servingInfo` (config.openshift.io/v1 HTTPServingInfo). */
export interface ServingInfo {
  /** Address to listen on. Default: all addresses. */
  readonly host?: string;
  readonly port?: number;
  /** PEM file of the certificate. The caller defines the default. */
  readonly certificateFile?: string;
  readonly keyFile?: string;
  readonly minVersion: SecureVersion;
  /** Cipher list in OpenSSL format. Default: the list of Node.js. */
  readonly ciphers?: string;
  /**
   * Values of `authentication.disabled` and `authorization.disabled` in a GenericOperatorConfig. Default: both checks are
   * enabled.
   */
  readonly disabled?: { readonly authentication: boolean; readonly authorization: boolean };
}

const versions: Readonly<Record<string, SecureVersion>> = {
  VersionTLS10: "TLSv1",
  VersionTLS11: "TLSv1.1",
  VersionTLS12: "TLSv1.2",
  VersionTLS13: "TLSv1.3",
};

/** TLS 1.3 cipher suites, which are always enabled. As in Go servers, a cipher list applies only to TLS 1.2 and earlier. */
const ofTls13 = Object.keys(cipherSuiteNames).filter((name) => name.startsWith("TLS_"));

/**
 * Parses a GenericControllerConfig or GenericOperatorConfig in YAML.
 * @throws Error that describes the problem in `file`
 */
export function parseServingInfo(text: string, file: string): ServingInfo {
  const config = parseYaml(text, file);
  const bindAddress = stringAt(config, "servingInfo", "bindAddress") ?? "";
  const certificateFile = stringAt(config, "servingInfo", "certFile");
  const keyFile = stringAt(config, "servingInfo", "keyFile");
  const minimum = stringAt(config, "servingInfo", "minTLSVersion");
  const suites = listAt(config, "servingInfo", "cipherSuites");
  const [authentication, authorization] = [
    valueAt(config, "authentication", "disabled") === true,
    valueAt(config, "authorization", "disabled") === true,
  ];
  return {
    ...parseAddress(bindAddress, file),
    ...(certificateFile ? { certificateFile } : {}),
    ...(keyFile ? { keyFile } : {}),
    ...(authentication || authorization ? { disabled: { authentication, authorization } } : {}),
    minVersion: minimum ? known(versions, minimum, `${file}: servingInfo.minTLSVersion`) : "TLSv1.2",
    ...(suites.length === 0
      ? {}
      : {
          ciphers: [
            ...new Set([
              ...ofTls13,
              ...suites.map((suite) =>
                known(openSslNames, String(suite), `${file}: servingInfo.cipherSuites`),
              ),
            ]),
          ].join(":"),
        }),
  };
}

const openSslNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(cipherSuiteNames).map(([name, iana]) => [iana, name]),
);

function parseYaml(text: string, file: string): unknown {
  let config: unknown;
  try {
    config = parse(text);
  } catch (error) {
    throw new Error(`${file} is no YAML: ${messageOf(error)}`);
  }
  const serving = valueAt(config, "servingInfo");
  if (!isPlainObject(config) || (serving !== undefined && serving !== null && !isPlainObject(serving)))
    throw new Error(`${file}: expected an object with servingInfo, such as a GenericControllerConfig`);
  return config;
}

/** Parses an address in the form `host:port`, `[host]:port` or `:port`. */
function parseAddress(address: string, file: string): Pick<ServingInfo, "host" | "port"> {
  if (address === "") return {};
  const [, bracketed, plain = "", digits] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(address) ?? [];
  if (digits === undefined || Number(digits) > 65_535)
    throw new Error(`${file}: servingInfo.bindAddress '${address}': expected ADDRESS:PORT such as ':60000'`);
  const host = bracketed ?? plain;
  return { ...(host === "" ? {} : { host }), port: Number(digits) };
}

function known<T>(table: Readonly<Record<string, T>>, name: string, where: string): T {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  if (value === undefined)
    throw new Error(`${where}: unknown '${name}'; known are ${Object.keys(table).join(", ")}`);
  return value;
}

import process from "node:process";
import { isAffectedByResets, isSupported, nodeVersions } from "../process/node-versions.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Checks that this process runs a supported Node.js release without known problems. */
export function checkNode(version: string = process.versions.node): Finding {
  const versions = nodeVersions();
  const { first, last } = versions.affectedByResets;
  const supported = versions.supported.join(" and ");
  if (!isSupported(version, versions))
    return warning(
      "node",
      `Node.js ${version} is not supported`,
      `run keelson with Node.js ${supported}; the launcher "./keelson" of a checkout installs ${versions.pinned}`,
      "./keelson doctor",
    );
  if (isAffectedByResets(version, versions))
    return warning(
      "node",
      `a TCP reset during a TLS handshake is not reported by Node.js ${first} to ${last}; Keelson works around it`,
      "no action is needed; Node.js 26 does not have this defect",
      "node --version",
    );
  return ok("node", `Node.js ${version} is supported`);
}
